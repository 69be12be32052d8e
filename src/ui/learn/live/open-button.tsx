import type { Cut, Draft } from '../../../state/explain/examples.ts';
import type { Texts } from '../../../state/learn/lessons/asked.ts';
import { hashOfPage } from '../../../state/page/page-store.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores } from '../../use-stores.ts';

/** See `OpenButton`. */
interface OpenButtonProps {
  readonly texts: Texts;
  readonly cut?: Cut;
  /** Left out: that it opens on the Explain page. */
  readonly label?: string;
}

/** Takes the texts to the Explain page and explains them there; Undo on that page brings back what they replace. */
export function OpenButton({ texts, cut, label }: OpenButtonProps) {
  const { explain } = useStores();
  const open = async () => {
    const draft: Draft = { ...texts, ...(cut && { cut }) };
    await explain.getState().take(draft);
    location.hash = hashOfPage('explain');
    if (texts.target !== '') await explain.getState().run();
  };
  return (
    <div>
      <Button look="plain" data-testid="open-on-explain" onClick={() => void open()}>
        {label ?? learnWords().live.open}
      </Button>
    </div>
  );
}
