import { useState } from 'react';
import type { KeptThing } from '../../protocol/page/kept-things.ts';
import { privacyWords } from '../../words/en/privacy.ts';
import { countText, sizeText } from '../../words/numbers.ts';
import { Button } from '../parts/buttons.tsx';
import { Section } from '../settings/fields.tsx';
import { useStoreValue } from '../use-stores.ts';
import { ClearDialog } from './clear-dialog.tsx';
import styles from './privacy.module.css';

/** What the browser keeps for the app, where, and what for; and the button that removes it. */
export function KeptSection() {
  const { kept: words, clear } = privacyWords();
  const kept = useStoreValue('privacy', (state) => state.kept);
  const [isClearing, setClearing] = useState(false);
  const own = kept?.things.filter(({ isOwn }) => isOwn) ?? [];
  const others = kept?.things.filter(({ isOwn }) => !isOwn) ?? [];
  return (
    <Section title={words.title} about={words.about}>
      {own.length > 0 ? <Things caption={words.table} things={own} /> : <p>{kept && words.nothing}</p>}
      {others.length > 0 && <Things caption={words.others} things={others} />}
      {own.length > 0 && kept && kept.usedBytes !== null && kept.allowedBytes !== null && (
        <p className={styles.note}>{words.used(sizeText(kept.usedBytes), sizeText(kept.allowedBytes))}</p>
      )}
      <div>
        <Button onClick={() => setClearing(true)}>{clear.button}</Button>
      </div>
      {isClearing && <ClearDialog onClose={() => setClearing(false)} />}
    </Section>
  );
}

function Things({ caption, things }: { readonly caption: string; readonly things: readonly KeptThing[] }) {
  const words = privacyWords().kept;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="kept">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.purpose}</th>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.size}</th>
          </tr>
        </thead>
        <tbody>
          {things.map(({ kind, name, bytes, files, isOwn }) => (
            <tr key={`${kind} ${name}`}>
              <th scope="row">{isOwn ? purposeOf(name) : '–'}</th>
              <td>
                {words.kinds[kind]} <code>{name}</code>
              </td>
              <td>
                {bytes === null ? '–' : sizeText(bytes)}
                {files !== null && `, ${countText(files, words.files)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is kept under a name, in the words of the first entry that it begins with or contains. */
function purposeOf(name: string): string {
  const { purposes, other } = privacyWords().kept;
  return Object.entries(purposes).find(([part]) => name.includes(part))?.[1] ?? other;
}
