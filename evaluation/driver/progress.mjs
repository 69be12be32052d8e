// @ts-check

/**
 * Shows how far the work has come and for how long it has run: on a terminal every second in one line that is written
 * over, else a line every ten seconds.
 *
 * @param {{ isTTY?: boolean, write: (text: string) => unknown }} stream
 * @returns {{ say: (what: string, done: number, total: number) => void, end: () => void }}
 */
export function createProgress(stream = process.stderr) {
  const began = Date.now();
  let last = 'starting';
  const show = () => {
    const line = `  ${last}, ${Math.round((Date.now() - began) / 1000)} s`;
    stream.write(stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? 1000 : 10_000);
  return {
    say: (what, done, total) => void (last = `${what}: ${done} of ${total}`),
    end: () => {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
