import { languageName, LANGUAGES } from '../../words/languages.ts';
import { settingsWords } from '../../words/en/settings.ts';
import type { LanguageChoice } from '../../state/page/language-store.ts';
import { focusOn } from '../parts/focus.ts';
import { useStoreValue } from '../use-stores.ts';
import { Section, SelectField } from './fields.tsx';
import styles from './settings-page.module.css';

/** Id of the menu of languages. */
const LANGUAGE = 'language';

/** What the page itself looks like: its language. */
export function PageSection() {
  const words = settingsWords().page;
  const { choice, system, isFailed, choose } = useStoreValue('language', (state) => state);
  const options: readonly { value: LanguageChoice; text: string }[] = [
    { value: 'system', text: words.system(languageName(system)) },
    ...LANGUAGES.map((value) => ({ value, text: languageName(value) })),
  ];
  const change = async (value: LanguageChoice) => {
    await choose(value);
    focusOn(LANGUAGE); // another language draws the whole page again
  };
  return (
    <Section title={words.title} about={words.about}>
      <SelectField
        id={LANGUAGE}
        label={words.language}
        options={options}
        value={choice}
        onChoose={(value) => void change(value)}
      />
      <p className={styles.outcome} data-kind="wrong" role="alert">
        {isFailed && words.languageFailed}
      </p>
    </Section>
  );
}
