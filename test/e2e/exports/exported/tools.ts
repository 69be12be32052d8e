import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The first of these programs that runs on this machine. */
function found(names: readonly string[], argument: string): string | undefined {
  return names.find((name) => spawnSync(name, [argument]).status === 0);
}

/** What draws PDF files here; undefined where nothing does. */
export const PDF_TOOL = found(['pdftoppm', 'gs'], '-v');

/** What compiles LaTeX here; undefined where nothing does. */
export const LATEX = found(['pdflatex'], '--version');

/**
 * The first page of a PDF file as a PNG file.
 *
 * @throws {Error} with the program's own words when it cannot read the file
 */
export function pdfAsPng(path: string, dotsPerInch: number): Buffer {
  return inFolder((folder) => {
    const name = join(folder, 'page');
    if (PDF_TOOL === 'gs')
      ran('gs', [
        '-q',
        '-sDEVICE=png16m',
        `-r${dotsPerInch}`,
        '-dTextAlphaBits=4',
        '-dGraphicsAlphaBits=4',
        '-o',
        `${name}.png`,
        path,
      ]);
    else ran('pdftoppm', ['-png', '-singlefile', '-r', String(dotsPerInch), path, name]);
    return readFileSync(`${name}.png`);
  });
}

/** The text of a PDF file; undefined where no program reads it. */
export function pdfText(path: string): string | undefined {
  return PDF_TOOL === 'pdftoppm' ? ran('pdftotext', [path, '-']) : undefined;
}

/**
 * Compiles what stands between the beginning and the end of a document.
 *
 * @throws {Error} with the compiler's own words when it finds an error
 */
export function compileLatex(body: string): void {
  inFolder((folder) => {
    const document = `\\documentclass{article}\n\\usepackage{xcolor}\n\\begin{document}\n${body}\n\\end{document}\n`;
    writeFileSync(join(folder, 'document.tex'), document);
    ran(
      LATEX ?? 'pdflatex',
      ['-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', 'document.tex'],
      folder,
    );
  });
}

function ran(program: string, options: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, options, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}${stdout.slice(-2000)}`);
  return stdout;
}

function inFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-tool-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
