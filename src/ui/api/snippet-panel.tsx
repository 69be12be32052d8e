import { useState } from 'react';
import { bodyOf, requestOf } from '../../state/api/api-operations.ts';
import { apiUrl } from '../../state/api/api-url.ts';
import { type Language, LANGUAGES, snippetOf } from '../../state/api/snippets.ts';
import { apiWords } from '../../words/en/api.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { Code } from '../parts/layout/code.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { useStoreValue } from '../use-stores.ts';
import styles from './snippet-panel.module.css';

/** Names of languages and programs; the client's is of words. */
const NAMES: Readonly<Record<Exclude<Language, 'client'>, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

const HIDDEN_TOKEN = 'YOUR_TOKEN';

/** The same request from outside the page. The token is shown on demand only: it opens this tab to whoever has it. */
export function SnippetPanel() {
  const [language, setLanguage] = useState<Language>('curl');
  const [showsToken, setShowsToken] = useState(false);
  const code = useCode(language);
  const hasBridge = useStoreValue('transports', (state) => state.bridge !== 'absent');
  const token = useStoreValue('api', (state) => state.token);
  const words = apiWords().snippet;
  const nameOf = (value: Language) => (value === 'client' ? words.python : NAMES[value]);
  return (
    <section className={styles.card} aria-label={words.label}>
      <div className={styles.head}>
        <h2 className={styles.title}>{words.title}</h2>
        <Choice
          label={words.language}
          options={LANGUAGES.map((value) => ({ value, label: nameOf(value) }))}
          value={language}
          onChoose={setLanguage}
        />
      </div>
      <Code label={words.code(nameOf(language))} testId="snippet" className={styles.code}>
        {code(showsToken ? token() : HIDDEN_TOKEN)}
      </Code>
      <div className={styles.foot}>
        <label className={styles.check}>
          <input type="checkbox" checked={showsToken} onChange={(event) => setShowsToken(event.target.checked)} />
          {words.showToken}
        </label>
        <CopyButton label={words.copyCode} text={() => code(token())} />
        <CopyButton label={words.copyToken} text={token} />
      </div>
      {!hasBridge && (
        <p className={styles.note}>
          <Sentence text={words.noBridge} parts={{ command: <code>npm start</code> }} />
        </p>
      )}
    </section>
  );
}

/** The request as code, given a token. */
function useCode(language: Language): (token: string) => string {
  const name = useStoreValue('api', (state) => state.operation);
  const method = useStoreValue('api', (state) => requestOf(state).method);
  const body = useStoreValue('api', bodyOf);
  return (token) => snippetOf(language, { name, method, body, baseUrl: apiUrl(document.baseURI).href, token });
}
