import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { useSettings } from '../use-stores.ts';
import { Field } from './field.tsx';
import { Section } from './section.tsx';
import { TokenField } from './token-field.tsx';

/** Who may ask. */
export function AccessSection() {
  const { allowedOrigins } = useSettings((state) => state.settings);
  const change = useSettings((state) => state.change);
  return (
    <Section
      title="Access"
      about="Programs on this computer reach this tab through the local server; each request needs the token."
    >
      <TokenField />
      <Field
        label="Pages that may read answers"
        hint="One origin per line, such as https://notebook.example. Pages of any other origin are refused by the browser."
        value={allowedOrigins.join('\n')}
        save={(text) => change({ allowedOrigins: linesOf(text) })}
      >
        {(input) => <GrowingTextarea {...input} />}
      </Field>
    </Section>
  );
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
