// Asks the bond's API; what is refused comes back as a sentence in the reader's language.
export function asking({ bond, csrf, refusals, strings }) {
  return async function ask(path, method = "POST", sent) {
    const headers = { "X-CSRFToken": csrf, ...(sent && { "Content-Type": "application/json" }) };
    try {
      const answer = await fetch(`/api/bonds/${bond}/${path}`, { method, headers, body: sent && JSON.stringify(sent) });
      const body = answer.status === 204 ? null : await answer.json();
      if (answer.ok) return { ok: true, body };
      return { ok: false, code: body.code, detail: refusals[body.code] ?? body.detail };
    } catch {
      return { ok: false, code: "", detail: strings.not_done };
    }
  };
}
