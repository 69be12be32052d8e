import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, memo, type ReactNode } from 'react';
import { markdownTokens } from '../../files/markdown/markdown-tokens.ts';
import styles from './markdown.module.css';

/**
 * Markdown with tables, as elements of the page. The library only parses it: no HTML is made of it, so none can enter
 * with a text; HTML in a text is shown as it is written.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = markdownTokens(text);
  return <div className={styles.text}>{tokens ? all(tokens) : <pre>{text}</pre>}</div>;
});

/** The parts have no identity but their place. */
function all(tokens: readonly Token[] = []): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key
  return tokens.map((token, index) => <Fragment key={index}>{elementOf(token as MarkedToken)}</Fragment>); // no extension adds other tokens
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function elementOf(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Heading = HEADINGS[token.depth - 1] ?? 'h6'; // the page has the first one
      return <Heading>{all(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{all(token.tokens)}</p>;
    case 'text':
      return token.tokens ? all(token.tokens) : token.text;
    case 'strong':
      return <strong>{all(token.tokens)}</strong>;
    case 'em':
      return <em>{all(token.tokens)}</em>;
    case 'del':
      return <del>{all(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>;
    case 'list':
      return listOf(token);
    case 'table':
      return tableOf(token);
    case 'link':
      return linkOf(token);
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'escape':
      return token.text;
    case 'space':
    case 'def':
      return null;
    default:
      return token.raw; // HTML, pictures from elsewhere
  }
}

function listOf({ ordered, items }: Tokens.List): ReactNode {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List>
      {items.map((item, index) => (
        // Entries have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{all(item.tokens)}</li>
      ))}
    </List>
  );
}

/** A table whose head is empty has none: cards write lists of facts so. */
function tableOf({ header, rows }: Tokens.Table): ReactNode {
  const hasHead = header.some(({ text }) => text.trim() !== '');
  return (
    <div className={styles.scroll}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {header.map(({ tokens, align }, column) => (
                // Columns have no identity but their place.
                // oxlint-disable-next-line react/no-array-index-key
                <th key={column} scope="col" align={align ?? undefined}>
                  {all(tokens)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{rows.map(rowOf)}</tbody>
      </table>
    </div>
  );
}

function rowOf(cells: readonly Tokens.TableCell[], row: number): ReactNode {
  return (
    <tr key={row}>
      {cells.map(({ tokens, align }, column) => (
        // Cells have no identity but their column.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={column} align={align ?? undefined}>
          {all(tokens)}
        </td>
      ))}
    </tr>
  );
}

/** Only addresses of the web are links; anything else, such as a file of the project, stays text. */
function linkOf({ href, tokens }: Tokens.Link): ReactNode {
  if (!/^https?:\/\//.test(href)) return all(tokens);
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {all(tokens)}
    </a>
  );
}
