import { useModelFacts } from '../../stores/use-stores.ts';
import { liveWords } from './words.en.ts';

/** Where a server has the default model: that what follows is computed by another model, in the page. */
export function LoadedNote({ model, className }: { readonly model: string; readonly className: string | undefined }) {
  const upstream = useModelFacts()?.upstream;
  if (!upstream) return null;
  return (
    <p className={className} data-testid="loaded">
      {liveWords().loaded(model, upstream)}
    </p>
  );
}
