import { useEffect } from 'react';
import { Button } from '../../parts/buttons.tsx';
import styles from '../../parts/fields/fields.module.css';
import { namesText } from '../../parts/names-text.ts';
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

/** Tokens, price and cost at most; empty: not known, or no limit. A cost needs a price. */
function Limits() {
  const words = settingsWords().upstream;
  const { settings, change } = useStoreValue('settings', (state) => state);
  const { upstream } = settings;
  const names = ['maxTokens', 'pricePerMillionTokens', 'maxCost'] as const;
  const save = (name: (typeof names)[number], text: string) => {
    const value = text.trim() === '' ? null : typedNumber(text);
    const withoutPrice = name === 'pricePerMillionTokens' && value === null && { maxCost: null };
    return change({ upstream: { [name]: value, ...withoutPrice } }) && words.limitWrong;
  };
  return names
    .filter((name) => name !== 'maxCost' || upstream.pricePerMillionTokens !== null)
    .map((name) => (
      <SettingsField
        key={name}
        label={words.limits[name]}
        hint={words.limitHints[name]}
        value={upstream[name] === null ? '' : exactText(upstream[name])}
        save={(text) => save(name, text)}
        inputMode="decimal"
      />
    ));
}

/** The models of the server; the section of models offers them for explanations. */
function Models() {
  const words = settingsWords().upstream;
  const { upstreamModels: list, connectUpstream } = useStoreValue('engineLink', (state) => state);
  useEffect(() => void connectUpstream(), [connectUpstream]);
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <Button disabled={list.kind === 'listing'} onClick={() => void connectUpstream()}>
          {words.list}
        </Button>
      </div>
      <div aria-live="polite" data-testid="upstream-models">
        {list.kind === 'listing' && <p className={styles.hint}>{words.listing}</p>}
        {list.kind === 'listed' && (
          <p className={styles.outcome} data-kind="saved">
            {list.names.length === 0 ? words.foundNone : words.found(namesText(list.names))}
          </p>
        )}
        {list.kind === 'failed' && (
          <p className={styles.outcome} data-kind="wrong">
            {words.failed(list.message)}
          </p>
        )}
      </div>
      {list.kind === 'listed' && list.names.length > 0 && (
        <p className={styles.hint}>{words.choose(settingsWords().models.uses.explain)}</p>
      )}
    </div>
  );
}
