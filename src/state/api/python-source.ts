/** A JSON value as Python source, indented by four, on one line where it fits. */
export function pythonOf(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (line.length + indent.length <= 88) return line;
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return `[\n${value.map((each) => `${inner}${pythonOf(each, inner)},\n`).join('')}${indent}]`;
  if (typeof value !== 'object' || value === null) return line;
  const fields = Object.entries(value).map(
    ([key, field]) => `${inner}${pythonText(key)}: ${pythonOf(field, inner)},\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonText(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `${pythonText(key)}: ${onOneLine(field)}`)
    .join(', ')}}`;
}

/** JSON's escapes mean the same in Python, but for surrogates, which Python does not join: `JSON.stringify` leaves pairs as they are. */
function pythonText(value: string): string {
  return JSON.stringify(value);
}
