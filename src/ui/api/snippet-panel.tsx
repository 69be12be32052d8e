import { useState } from 'react';
import { bodyOf, requestOf } from '../../state/api/api-operations.ts';
import { apiUrl } from '../../state/api/api-url.ts';
import { type Language, LANGUAGES, snippetOf } from '../../state/api/snippets.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { Code } from '../parts/layout/code.tsx';
import { useStoreValue } from '../use-stores.ts';
import styles from './snippet-panel.module.css';

const LABELS: Readonly<Record<Language, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  client: 'Python client',
};

const HIDDEN_TOKEN = 'YOUR_TOKEN';

/** The same request from outside the page. The token is shown on demand only: it opens this tab to whoever has it. */
export function SnippetPanel() {
  const [language, setLanguage] = useState<Language>('curl');
  const [showsToken, setShowsToken] = useState(false);
  const code = useCode(language);
  const hasBridge = useStoreValue('transports', (state) => state.bridge !== 'absent');
  const token = useStoreValue('api', (state) => state.token);
  return (
    <section className={styles.card} aria-label="The same request as code">
      <div className={styles.head}>
        <h2 className={styles.title}>From outside this page</h2>
        <Choice
          label="Language"
          options={LANGUAGES.map((value) => ({ value, label: LABELS[value] }))}
          value={language}
          onChoose={setLanguage}
        />
      </div>
      <Code label={`The request in ${LABELS[language]}`} testId="snippet" className={styles.code}>
        {code(showsToken ? token() : HIDDEN_TOKEN)}
      </Code>
      <div className={styles.foot}>
        <label className={styles.check}>
          <input type="checkbox" checked={showsToken} onChange={(event) => setShowsToken(event.target.checked)} />
          Show my token
        </label>
        <CopyButton label="Copy with my token" text={() => code(token())} />
        <CopyButton label="Copy token" text={token} />
      </div>
      {!hasBridge && (
        <p className={styles.note}>
          This address answers no programs. Start Lightwell on your own machine with <code>npm start</code>.
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
