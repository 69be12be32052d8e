import { type SharedToken, sharedTokens, closestOthers, type TokenGrid } from '../../state/inside/token-grid.ts';
import { insideWords } from '../../words/en/inside.ts';
import { visibleText } from '../explain/texts.ts';
import { cosineText } from './similarity-texts.ts';

/** Words that both texts have are said of at most so many. */
const MOST_SHARED = 3;

/** What stands out in a grid: what tokens of both texts are like, and which others are closest. */
export function gridNotice(grid: TokenGrid): string[] {
  const words = insideWords().tokens;
  const closest = closestOthers(grid);
  const shared = (token: SharedToken) =>
    words.same(visibleText(token.text), cosineText(token.low), cosineText(token.high));
  return [
    ...sharedTokens(grid).slice(0, MOST_SHARED).map(shared),
    ...(closest ? [words.closest(visibleText(closest.a), visibleText(closest.b), cosineText(closest.value))] : []),
  ];
}
