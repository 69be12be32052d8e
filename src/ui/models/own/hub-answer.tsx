import type { HubFound } from '../../../protocol/keeping/keeping-tasks.ts';
import { memoryOfPlan } from '../../../state/models/own/hub-store.ts';
import { hubWords } from '../../../words/en/models/hub.ts';
import { localModelsWords } from '../../../words/en/models/local.ts';
import { sizeText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { useValueOf } from '../../use-stores.ts';
import styles from './own-models.module.css';
import { ProblemText } from './problem-text.tsx';
import { useOwnModels } from './use-own-models.ts';

/** What the hub has, to be agreed to before it is fetched. */
export function HubAnswer() {
  const words = hubWords();
  const { hub } = useOwnModels();
  const { asked, wanted } = useValueOf(hub, (state) => state);
  return (
    <div aria-live="polite" data-testid="hub-answer">
      {asked.kind === 'asking' && <p aria-busy>{words.asking(wanted.id)}</p>}
      {asked.kind === 'failed' && <ProblemText problem={asked.problem} />}
      {asked.kind === 'found' && <Found found={asked.found} />}
    </div>
  );
}

function Found({ found }: { readonly found: HubFound }) {
  const words = hubWords().found;
  const tiers = localModelsWords().tiers;
  const { hub, folders } = useOwnModels();
  const space = useValueOf(folders, (state) => state.space);
  const { plan, bytes, dtype, choices, inspection } = found;
  const { licence, commit } = plan.from;
  const sizes = choices.map((choice) => `${choice.dtype}: ${sizeText(choice.bytes)}`).join(' · ');
  return (
    <div className={styles.found}>
      <strong>{plan.name}</strong>
      <dl>
        <dt>{words.size}</dt>
        <dd>
          {sizeText(bytes)} {space && words.free(sizeText(Math.max(0, space.allowed - space.used)))}
        </dd>
        <dt>{words.dtype}</dt>
        <dd>
          {dtype} {choices.length > 1 && `(${sizes})`}
        </dd>
        <dt>{words.memory}</dt>
        <dd>{words.aboutMemory(sizeText(memoryOfPlan(found)))}</dd>
        <dt>{words.licence}</dt>
        <dd>{licence ?? words.noLicence}</dd>
        <dt>{words.use}</dt>
        <dd>
          {tiers[inspection.tier]} {inspection.reason !== null && words.why(inspection.reason)}
        </dd>
        <dt>{words.commit}</dt>
        <dd>
          <code>{commit.slice(0, 12)}</code>
        </dd>
      </dl>
      {inspection.tier !== 'refused' && (
        <Button look="primary" onClick={hub.getState().agree}>
          {licence === null ? words.agreeWithout(sizeText(bytes)) : words.agree(sizeText(bytes), licence)}
        </Button>
      )}
    </div>
  );
}
