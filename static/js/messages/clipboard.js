// Copies a text; tells whether the browser let it.
export async function copy(text) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(() => true, () => false);
  }
  // Over plain HTTP in a home network there is only the old way.
  const field = document.createElement("textarea");
  field.className = "sr-only";
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
