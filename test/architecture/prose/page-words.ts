import type { Rule, SourceFile } from '../source.ts';
import { isNode, nodesBelow, parse, type SyntaxNode } from '../syntax.ts';
import { placeOf } from '../typing.ts';

/** Attributes that are read out or shown, of elements and of our own components. */
const SHOWN = new Set([
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
  'label',
  'text',
  'hint',
  'help',
  'about',
  'claim',
  'note',
  'lead',
  'summary',
  'fallback',
]);

/** What every language says alike: names and commands. */
const ALIKE: ReadonlySet<string> = new Set(['Lightwell', 'npm start', 'JSON', 'CSV', 'API']);

/** Single letters are signs, as in `A − B`. */
const WORD = /\p{L}\p{L}/u;

/** Elements whose text is no language, but code. */
const CODE = new Set(['code', 'kbd', 'samp', 'style']);

/** Texts of the page stand in `words.en.ts` and its translations: no text of ours is in a component. */
export const wordsRule: Rule = (files) =>
  files.flatMap((file) =>
    nodesBelow(parse(file).body).flatMap((node) => [...inElement(file, node), ...inAttribute(file, node)]),
  );

/** Numbers are written by `src/words/language.ts`, as the spoken language writes them. */
export const numbersRule: Rule = (files) =>
  files.flatMap((file) =>
    nodesBelow(parse(file).body)
      .filter((node) => node.type === 'MemberExpression' && isNode(node.property) && isLocal(node))
      .map(({ start }) => `${placeOf(file, start)}: a number that does not follow the language`),
  );

function isLocal({ object, property }: SyntaxNode): boolean {
  const name = isNode(property) ? String(property.name) : '';
  return /^toLocale(String|DateString|TimeString)$/.test(name) || (isNamed(object, 'Intl') && name.endsWith('Format'));
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.name === name;
}

function inElement(file: SourceFile, node: SyntaxNode): string[] {
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return [];
  if (
    isNode(node.openingElement) &&
    isNode(node.openingElement.name) &&
    CODE.has(String(node.openingElement.name.name))
  )
    return [];
  return (Array.isArray(node.children) ? node.children : []).flatMap((child: unknown) => textsIn(file, child));
}

function inAttribute(file: SourceFile, node: SyntaxNode): string[] {
  if (node.type !== 'JSXAttribute' || !isNode(node.name) || !SHOWN.has(String(node.name.name))) return [];
  return textsIn(file, node.value);
}

/** Texts that a value can become; those that go into a call or a comparison do not. */
function textsIn(file: SourceFile, node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'string' ? told(file, node, node.value) : [];
    case 'TemplateLiteral':
      return (Array.isArray(node.quasis) ? node.quasis : []).flatMap((piece) => told(file, node, piece.value.cooked));
    case 'JSXExpressionContainer':
      return textsIn(file, node.expression);
    case 'ConditionalExpression':
      return [...textsIn(file, node.consequent), ...textsIn(file, node.alternate)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return isCompared(node) ? [] : [...textsIn(file, node.left), ...textsIn(file, node.right)];
    default:
      return [];
  }
}

function isCompared({ operator }: SyntaxNode): boolean {
  return typeof operator === 'string' && /^([=!]=|[<>])/.test(operator);
}

function told(file: SourceFile, { start }: SyntaxNode, text: string): string[] {
  const said = text.trim();
  return ALIKE.has(said) || !WORD.test(said)
    ? []
    : [`${placeOf(file, start)}: ${JSON.stringify(said)} is not in a words file`];
}
