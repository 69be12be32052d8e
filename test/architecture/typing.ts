import type { Rule, SourceFile } from './source.ts';
import { isNode, nodesBelow, parse, type SyntaxNode } from './syntax.ts';

/** Casts allowed per 1000 lines (style.md, section 7.4); `as const` narrows nothing away and is free. */
const CASTS_PER_1000_LINES = 5;

/** No `any`: it switches the compiler off for all that it touches. */
export const anyRule: Rule = (files) => files.flatMap(anysOf);

/** Every `any` of a file, with its place. */
export function anysOf(file: SourceFile): string[] {
  return nodesBelow(parse(file).body)
    .filter(({ type }) => type === 'TSAnyKeyword')
    .map(({ start }) => `${placeOf(file, start)}: any`);
}

/** Casts are promises the compiler cannot check: few, and counted over the whole tree. */
export const castRule: Rule = (files) => {
  const casts = files.flatMap(castsOf);
  const lines = files.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  const allowed = Math.max(1, Math.floor((lines / 1000) * CASTS_PER_1000_LINES));
  return casts.length > allowed ? [`${casts.length} casts in ${lines} lines, ${allowed} allowed`, ...casts] : [];
};

/** Every cast of a file but `as const`, with its place. */
export function castsOf(file: SourceFile): string[] {
  return nodesBelow(parse(file).body)
    .filter(isCast)
    .map(({ start }) => `${placeOf(file, start)}: cast`);
}

function isCast({ type, typeAnnotation }: SyntaxNode): boolean {
  if (type === 'TSTypeAssertion') return true;
  return type === 'TSAsExpression' && !isConst(typeAnnotation);
}

function isConst(annotation: unknown): boolean {
  return isNode(annotation) && isNode(annotation.typeName) && annotation.typeName.name === 'const';
}

/** `path:line` of a position, as editors and terminals link it. */
export function placeOf(file: SourceFile, position: number): string {
  return `${file.path}:${file.text.slice(0, position).split('\n').length}`;
}
