// Unsent messages: kept in the browser until the server confirms that they are stored.
export class Outbox {
  constructor(bond) {
    this.key = `echovessel.outbox.${bond}`;
  }

  all() {
    return JSON.parse(localStorage.getItem(this.key) ?? "[]");
  }

  // A message off the record names its session: if that is over, the message is refused and not stored. So does one that goes on with
  // an older chat.
  put(content, { session, about, greeting }) {
    const named = Object.fromEntries(Object.entries({ session, about, greeting }).filter(([, value]) => value));
    const message = { client_id: newId(), content, ...named };
    this.write([...this.all(), message]);
    return message;
  }

  has(clientId) {
    return this.all().some((message) => message.client_id === clientId);
  }

  remove(clientId) {
    const rest = this.all().filter((message) => message.client_id !== clientId);
    this.write(rest);
  }

  write(messages) {
    if (messages.length) localStorage.setItem(this.key, JSON.stringify(messages));
    else localStorage.removeItem(this.key);
  }
}

// crypto.randomUUID exists only on secure origins, and an install may be reached over plain HTTP in a home network.
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
