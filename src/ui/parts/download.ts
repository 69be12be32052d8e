/** Hands a file to the user; nothing leaves the page. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A text as the content of a file. */
export function textFile(type: string, text: string): Blob {
  return new Blob([text], { type });
}
