import type { Rule, SourceFile } from '../source.ts';
import { importsOf, isNode, nodesBelow, parse, type SyntaxNode } from '../syntax.ts';
import { placeOf } from '../typing.ts';

/** Files of texts, in each language; the English ones are what other languages translate. */
const WORDS = /\/words\.\w+\.ts$/;
const ENGLISH = '/words.en.ts';

/** Forms of a plural are chosen in `src/words/language.ts`. */
const PLURAL = ['one', 'other'];

/**
 * No text is left behind by the code that said it. A text is used where a file that imports its part names it, where a sentence
 * has its name in braces, or where it is chosen by a value that the code has as a string. Of a group that is only chosen by
 * values, such as the codes of problems, or that is listed as a whole, any may be said.
 */
export const unusedWordsRule: Rule = (files) => {
  const [parts, others] = [files.filter(isPart), files.filter(({ path }) => !WORDS.test(path))];
  const code = others.map(readCode);
  const chosen = new Set([...code.flatMap(({ strings }) => strings), ...PLURAL, ...parts.flatMap(namesInBraces)]);
  return parts.flatMap((part) => {
    const users = code.filter(({ targets }) => targets.includes(part.path));
    const named = new Set(users.flatMap(({ names }) => names));
    const listed = new Set(users.flatMap((user) => user.listed));
    return groupsIn(part).flatMap(({ name, texts }) => {
      const isChosen = listed.has(name) || !texts.some((text) => named.has(nameOf(text)));
      return texts
        .filter((text) => !isChosen && !named.has(nameOf(text)) && !chosen.has(nameOf(text)))
        .map((text) => `${placeOf(part, text.start)}: nothing says ${nameOf(text)}`);
    });
  });
};

function isPart({ path }: SourceFile): boolean {
  return path.endsWith(ENGLISH);
}

/** What a file says of words. */
interface Code {
  /** Paths of the files that it imports. */
  readonly targets: readonly (string | undefined)[];
  /** Names of properties and values. */
  readonly names: readonly string[];
  readonly strings: readonly string[];
  /** Names of the groups whose values it lists: `Object.values(words.columns)`. */
  readonly listed: readonly string[];
}

function readCode(file: SourceFile): Code {
  const nodes = nodesBelow(parse(file).body);
  const literals = nodes.flatMap(({ type, value }) => (type === 'Literal' && typeof value === 'string' ? [value] : []));
  // Codes of failures are the keys of one table, and their type is made from it.
  const codes = nodes
    .filter(isProperty)
    .map(nameOf)
    .filter((name) => /^[A-Z_]+$/.test(name));
  const strings = [...literals, ...codes];
  return {
    targets: importsOf(file).map(({ target }) => target),
    names: [...strings, ...nodes.flatMap(({ type, name }) => (type === 'Identifier' ? [String(name)] : []))],
    strings,
    listed: nodes.filter(({ type }) => type === 'CallExpression').flatMap(listedBy),
  };
}

function listedBy({ callee, arguments: given }: SyntaxNode): string[] {
  const [group] = Array.isArray(given) ? given : [];
  const isListing = isNode(callee) && isNode(callee.property) && callee.property.name === 'values';
  const last = isNode(group) && isNode(group.property) ? group.property : group;
  return isListing && isNode(last) ? [String(last.name)] : [];
}

/** Terms of the glossary, such as `{tokens}`. */
function namesInBraces({ text }: SourceFile): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

interface Group {
  readonly name: string;
  readonly texts: readonly SyntaxNode[];
}

/** The objects of a part, each with its texts and groups. */
function groupsIn(file: SourceFile): Group[] {
  return nodesBelow(parse(file).body).flatMap((node) => {
    const value =
      node.type === 'VariableDeclarator' ? tableOf(node.init) : node.type === 'Property' ? node.value : null;
    if (!isNode(value) || !Array.isArray(value.properties)) return [];
    return [{ name: nameOf(node), texts: value.properties.filter(isProperty) }];
  });
}

/** The table of `wordsFor('part', { … })`; of anything else the node itself. */
function tableOf(node: unknown): unknown {
  return isNode(node) && Array.isArray(node.arguments) ? node.arguments.at(-1) : node;
}

function isProperty(node: unknown): node is SyntaxNode {
  return isNode(node) && node.type === 'Property';
}

function nameOf({ key }: SyntaxNode): string {
  return isNode(key) ? String(key.name ?? key.value) : '';
}
