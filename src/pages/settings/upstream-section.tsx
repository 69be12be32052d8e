import { useEffect } from 'react';
import { Button } from '../../parts/buttons.tsx';
import styles from '../../parts/fields/fields.module.css';
import { DefaultModelField } from '../../parts/fields/service-fields.tsx';
import { SelectField, SettingsField, SettingsSection } from '../../parts/fields/fields.tsx';
import { useStoreValue } from '../../stores/use-stores.ts';
import { exactText, typedNumber } from '../../words/language.ts';
import { settingsWords } from './words.en.ts';

/** An OpenAI-compatible server whose models are explained by deletion, and what it may cost. The engine's section asks for the offer. */
export function UpstreamSection() {
  const words = settingsWords().upstream;
  const offered = useStoreValue('engineLink', ({ offer }) => offer?.upstream?.address);
  const { settings, change } = useStoreValue('settings', (state) => state);
  const { address } = settings.upstream;
  const addresses = [...new Set([address, offered])].flatMap((each) => each ?? []);
  return (
    <SettingsSection title={words.title} about={words.about}>
      {addresses.length === 0 ? (
        <p className={styles.hint}>{words.none}</p>
      ) : (
        <>
          <SelectField
            label={words.address}
            options={[{ value: '', text: words.off }, ...addresses.map((value) => ({ value, text: value }))]}
            value={address ?? ''}
            onChoose={(chosen) => void change({ upstream: { address: chosen === '' ? null : chosen } })}
          />
          <p className={styles.hint}>{words.leaves}</p>
          {address !== null && <Limits />}
          {address !== null && <Models key={address} />}
        </>
      )}
    </SettingsSection>
  );
}

/** Tokens, price and cost at most; empty: not known, or no limit. */
function Limits() {
  const words = settingsWords().upstream;
  const { settings, change } = useStoreValue('settings', (state) => state);
  return (['maxTokens', 'pricePerMillionTokens', 'maxCost'] as const).map((name) => {
    const value = settings.upstream[name];
    return (
      <SettingsField
        key={name}
        label={words.limits[name]}
        hint={words.limitHint}
        value={value === null ? '' : exactText(value)}
        save={(text) =>
          change({ upstream: { [name]: text.trim() === '' ? null : typedNumber(text) } }) && words.limitWrong
        }
      >
        {(input) => <input {...input} className={styles.input} inputMode="decimal" />}
      </SettingsField>
    );
  });
}

/** The models of the server; they can be chosen for explanations. */
function Models() {
  const words = settingsWords().upstream;
  const { upstreamModels: found, connectUpstream } = useStoreValue('engineLink', (state) => state);
  useEffect(() => void connectUpstream(), [connectUpstream]);
  return (
    <div className={styles.field}>
      <DefaultModelField operation="explain" label={words.choose} />
      <div className={styles.row}>
        <Button onClick={() => void connectUpstream()}>{words.list}</Button>
      </div>
      <div aria-live="polite" data-testid="upstream-models">
        {found !== null && (
          <p className={styles.outcome} data-kind={typeof found === 'string' ? 'wrong' : 'saved'}>
            {typeof found === 'string' ? words.failed(found) : words.found(found.join(', '))}
          </p>
        )}
      </div>
    </div>
  );
}
