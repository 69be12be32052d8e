import { glossaryWords } from './words.en.ts';
import { Tooltip } from '../feedback/status.tsx';
import { Sentence } from '../sentence.tsx';
import styles from './terms.module.css';

type Glossary = ReturnType<typeof glossaryWords>;
type Form = keyof Glossary['forms'];
type Meaning = keyof Glossary['meanings'];

/** The terms that are not written as their name: in the plural, mostly. */
const MEANING_OF: Readonly<Partial<Record<Form, Meaning>>> = {
  hiddenState: 'hidden states',
  hiddenStates: 'hidden states',
  layers: 'layer',
  logits: 'logit',
  scores: 'score',
  sections: 'section',
  tokens: 'token',
};

/** A sentence whose terms say what they mean on hover and on focus. */
export function Terms(props: {
  /** Terms are in braces, by their name in the glossary, such as `{tokens}`. */
  readonly text: string;
}) {
  const forms = Object.keys(glossaryWords().forms) as Form[]; // `Object.keys` forgets the names
  const terms = Object.fromEntries(forms.map((form) => [form, <Term key={form} form={form} />]));
  return <Sentence text={props.text} parts={terms} />;
}

function Term({ form }: { readonly form: Form }) {
  const { forms, meanings } = glossaryWords();
  const meaning = meanings[MEANING_OF[form] ?? (form as Meaning)]; // a test looks at every form
  return (
    <Tooltip text={meaning}>
      {(describedBy) => (
        <button type="button" className={styles.term} aria-describedby={describedBy} data-content>
          {forms[form]}
        </button>
      )}
    </Tooltip>
  );
}
