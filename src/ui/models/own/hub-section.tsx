import { type ReactNode, useId } from 'react';
import type { Model } from '../../../models/model.ts';
import { hubWords } from '../../../words/en/models/hub.ts';
import { Button } from '../../parts/buttons.tsx';
import { Section, SelectField } from '../../settings/fields.tsx';
import { useStoreValue, useValueOf } from '../../use-stores.ts';
import { HubAnswer } from './hub-answer.tsx';
import styles from './own-models.module.css';
import { useOwnModels } from './use-own-models.ts';

const DTYPES = ['fp32', 'fp16', 'q8', 'q4', 'q4f16'] as const satisfies readonly Model['dtype'][];

/** A model of the hub: it is asked for first, and fetched when size and licence are agreed to. */
export function HubSection() {
  const words = hubWords();
  const { hub } = useOwnModels();
  const wanted = useValueOf(hub, (state) => state.wanted);
  const address = useStoreValue('settings', ({ settings }) => settings.hub);
  const { want, ask } = hub.getState();
  const isNamed = wanted.id.trim() !== '';
  const look = () => isNamed && void ask(address);
  return (
    <Section title={words.title} about={words.about(address)}>
      <div className={styles.fields}>
        <TextField label={words.id} onEnter={look}>
          {(input) => (
            <input
              {...input}
              placeholder={words.example}
              value={wanted.id}
              spellCheck={false}
              onChange={({ target }) => want({ id: target.value.trim() })}
            />
          )}
        </TextField>
        <SelectField
          label={words.dtype}
          options={[{ value: '', text: words.automatic }, ...DTYPES.map((dtype) => ({ value: dtype, text: dtype }))]}
          value={wanted.dtype ?? ''}
          onChoose={(dtype) => want({ dtype: dtype === '' ? null : (dtype as Model['dtype']) })}
        />
        <Button disabled={!isNamed} onClick={look}>
          {words.ask}
        </Button>
      </div>
      <MoreFields onEnter={look} />
      <HubAnswer />
    </Section>
  );
}

/** What few models need. */
function MoreFields({ onEnter }: { readonly onEnter: () => void }) {
  const words = hubWords();
  const { hub } = useOwnModels();
  const { revision, subfolder, token } = useValueOf(hub, (state) => state.wanted);
  const { want } = hub.getState();
  return (
    <details>
      <summary>{words.more}</summary>
      <div className={styles.fields}>
        <TextField label={words.revision} onEnter={onEnter}>
          {(input) => (
            <input {...input} value={revision} onChange={({ target }) => want({ revision: target.value || 'main' })} />
          )}
        </TextField>
        <TextField label={words.subfolder} onEnter={onEnter}>
          {(input) => (
            <input
              {...input}
              value={subfolder}
              onChange={({ target }) => want({ subfolder: target.value.replace(/^\/+|\/+$/g, '') })}
            />
          )}
        </TextField>
        <TextField label={words.token} hint={words.tokenHint} onEnter={onEnter}>
          {(input) => (
            <input
              {...input}
              type="password"
              autoComplete="off"
              value={token ?? ''}
              onChange={({ target }) => want({ token: target.value || null })}
            />
          )}
        </TextField>
      </div>
    </details>
  );
}

/** See `TextField`. */
interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly onEnter: () => void;
  readonly children: (input: {
    readonly id: string;
    readonly className: string | undefined;
    readonly 'aria-describedby': string;
    readonly onKeyDown: (event: { readonly key: string }) => void;
  }) => ReactNode;
}

function TextField({ label, hint, onEnter, children }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        ...{ id, className: styles.input, 'aria-describedby': `${id}-hint` },
        onKeyDown: ({ key }) => void (key === 'Enter' && onEnter()),
      })}
      <p id={`${id}-hint`} className={styles.quiet}>
        {hint}
      </p>
    </div>
  );
}
