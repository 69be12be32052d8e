/** Lines of a streamed text body, empty ones left out; the body is cancelled when the reader stops early. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter((line) => line !== '');
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}
