import { childOf, type XmlElement, type XmlNode } from './xml.ts';

/**
 * An equation of Word on one line, such as `(a+b)/2`, `x^2` or `√(x+1)`.
 *
 * @source ECMA-376 part 1, 22.1 (elements); Unicode Technical Note 28 (UnicodeMath, the linear form)
 */
export function mathText(node: XmlNode): string {
  if (node.type === 'text') return node.value;
  return (FORMS[node.name] ?? childrenText)(node);
}

/** Elements with a notation of their own; of all others, the children one after the other. */
const FORMS: Readonly<Record<string, (element: XmlElement) => string>> = {
  'm:f': (element) => `${grouped(part(element, 'num'))}/${grouped(part(element, 'den'))}`,
  'm:sSup': (element) => `${grouped(part(element, 'e'))}${limits(element)}`,
  'm:sSub': (element) => `${grouped(part(element, 'e'))}${limits(element)}`,
  'm:sSubSup': (element) => `${grouped(part(element, 'e'))}${limits(element)}`,
  'm:sPre': (element) => `${limits(element)} ${grouped(part(element, 'e'))}`,
  'm:rad': (element) => `${part(element, 'deg')}√${grouped(part(element, 'e'))}`,
  'm:nary': (element) => `${setting(element, 'chr') ?? '∫'}${limits(element)} ${part(element, 'e')}`,
  'm:func': (element) => `${part(element, 'fName')} ${grouped(part(element, 'e'))}`,
  'm:limLow': (element) => `${part(element, 'e')}_${grouped(part(element, 'lim'))}`,
  'm:limUpp': (element) => `${part(element, 'e')}^${grouped(part(element, 'lim'))}`,
  'm:d'(element) {
    const inner = childrenOf(element, 'e')
      .map(childrenText)
      .join(setting(element, 'sepChr') ?? '|');
    return `${setting(element, 'begChr') ?? '('}${inner}${setting(element, 'endChr') ?? ')'}`;
  },
  'm:m': (element) => `[${childrenOf(element, 'mr').map(rowText).join('; ')}]`,
  'm:phant': (element) => (setting(element, 'show') === '0' ? '' : part(element, 'e')),
  'w:del': () => '',
  'm:eqArr': (element) => childrenOf(element, 'e').map(childrenText).join('; '),
};

function rowText(row: XmlElement): string {
  return childrenOf(row, 'e').map(childrenText).join(', ');
}

/** Lower and upper limit of a sum or an integral, or index and exponent. */
function limits(element: XmlElement): string {
  const [sub, sup] = [part(element, 'sub'), part(element, 'sup')];
  return `${sub && `_${grouped(sub)}`}${sup && `^${grouped(sup)}`}`;
}

/** In parentheses, unless it is one number or word. */
function grouped(text: string): string {
  return /^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`;
}

function childrenText({ children }: XmlElement): string {
  return children
    .filter((child) => (child.type === 'element' ? !child.name.endsWith('Pr') : true))
    .map(mathText)
    .join('');
}

function part(element: XmlElement, name: string): string {
  return childrenOf(element, name).map(childrenText).join('');
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child): child is XmlElement => child.type === 'element' && child.name === `m:${name}`);
}

/** A value of the element's properties; undefined: the standard's default. */
function setting(element: XmlElement, name: string): string | undefined {
  const properties = childOf(element, `${element.name}Pr`);
  return properties && childOf(properties, `m:${name}`)?.attributes['m:val'];
}
