import type { Influence, View } from '../../../state/explain/influence.ts';
import { useStores } from '../../use-stores.ts';
import { visibleText } from '../scores/visible-text.ts';

/** The target tokens; pointing at one previews its explanation, pressing it keeps that. */
export function MatrixHead({ influence, view }: { readonly influence: Influence; readonly view: View }) {
  const { selection } = useStores();
  const { choose, hoverView } = selection.getState();
  return (
    <thead>
      <tr>
        <th scope="col">Section</th>
        {influence.targets.map((text, index) => (
          // Tokens have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <th key={index} scope="col" data-chosen={view === index || undefined}>
            <button
              type="button"
              aria-pressed={view === index}
              onClick={() => choose(selection.getState().view === index ? 'whole' : index)}
              onPointerEnter={() => hoverView(index)}
              onPointerLeave={() => hoverView(null)}
            >
              {visibleText(text)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}
