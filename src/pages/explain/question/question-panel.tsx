import { sectionsWords } from '../../../explanations/words.en.ts';
import { type ClipboardEvent, lazy, type ReactNode, useState } from 'react';
import { EXAMPLES, PICTURE_EXAMPLE } from '../../../explanations/examples.ts';
import { dataUrl, GRANULARITIES, granularityOf, type Picture, PICTURE_TYPES } from '../../../explanations/question.ts';
import { FACTORS, strengthText } from '../../../figures/texts.ts';
import { Button, FileButton } from '../../../parts/buttons.tsx';
import { FallbackBoundary } from '../../../parts/feedback/status.tsx';
import { Choice, LabelRow, StopsSlider } from '../../../parts/fields/choice.tsx';
import layout from '../../../parts/fields/field-layout.module.css';
import { GrowingTextarea, MAX_PASTED } from '../../../parts/fields/growing-textarea.tsx';
import { numberText } from '../../../words/language.ts';
import { Sentence } from '../../../parts/sentence.tsx';
import { useModelFacts, useStores, useStoreValue } from '../../../stores/use-stores.ts';
import { fieldLabel, type FieldName, FieldNote, useFieldMark, useProblemsIn } from './field-problems.tsx';
import styles from './question-panel.module.css';
import { lengthText } from './question-texts.ts';
import { promptWords, questionSettingsWords } from './words.en.ts';
import { messageOf } from '../../../contract/failure.ts';

/** The question: examples, prompt, target, what runs it, settings. @param children  what runs it */
export function QuestionPanel({ children }: { readonly children: ReactNode }) {
  const isLinkUnreadable = useStoreValue('explain', (state) => state.isLinkUnreadable);
  const isDimmed = !useModelFacts()?.upstream;
  return (
    <section className={styles.panel} aria-label={promptWords().question}>
      {isLinkUnreadable && (
        <p className={layout.wrong} role="alert" data-testid="link-problem">
          {promptWords().linkUnreadable(numberText(MAX_PASTED))}
        </p>
      )}
      <ExamplePicker />
      <PromptEditor />
      {children}
      <TargetEditor />
      <div className={styles.settings}>
        <GranularityField />
        {isDimmed && <FactorField />}
        <AdvancedSettings />
      </div>
    </section>
  );
}

/** Questions to start from; one with a picture where the model can read it. */
function ExamplePicker() {
  const { explain } = useStores();
  const { prompt, target } = useStoreValue('explain', (state) => state.question);
  const canUndo = useStoreValue('explain', (state) => state.replaced !== null);
  const examples = useModelFacts()?.readsImages ? [...EXAMPLES, PICTURE_EXAMPLE] : EXAMPLES;
  const words = promptWords().examples;
  const takeAndRun = async (example: (typeof EXAMPLES)[number]) => {
    await explain.getState().take({ ...example, target: '' });
    await explain.getState().run();
  };
  return (
    <div className={layout.examples} role="group" aria-label={words.label}>
      <span>{words.lead}</span>
      {examples.map((example) => (
        <Button
          key={example.name}
          look="quiet"
          aria-pressed={example.prompt === prompt && target === ''}
          onClick={() => void takeAndRun(example)}
        >
          {words.names[example.name]}
        </Button>
      ))}
      {canUndo && (
        <Button look="quiet" focus="prompt" onClick={() => explain.getState().undo()}>
          {words.undo}
        </Button>
      )}
    </div>
  );
}

/** What the model reads: a picture, where it can read one, and the text. */
function PromptEditor() {
  const { explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const { picture, prompt } = question;
  const words = promptWords();
  const mark = useFieldMark('prompt', 'prompt-length');
  const { readsImages, problem, take, remove, onPaste } = usePictureEntry();
  const button = (
    <FileButton accept={PICTURE_TYPES.join(',')} onFiles={([file]) => void take(file)}>
      {picture ? words.picture.anotherButton : words.picture.addButton}
    </FileButton>
  );
  return (
    // Files are pasted anywhere in the field, and dropped anywhere on the page; the button below is for the keyboard.
    <div className={styles.field} onPaste={onPaste}>
      <LabelRow htmlFor="prompt" label={words.prompt.label}>
        <span className={styles.hint} id="prompt-length">
          {lengthText(prompt, picture !== null)}
        </span>
      </LabelRow>
      {picture && <PromptPicture picture={picture} onRemove={remove} />}
      <GrowingTextarea
        {...mark}
        data-testid="prompt"
        value={prompt}
        placeholder={words.prompt.placeholder}
        onChange={(event) => explain.getState().edit({ prompt: event.target.value })}
      />
      <FieldNote field="prompt" />
      <FallbackBoundary fallback={null}>
        <LengthAdvice />
      </FallbackBoundary>
      {readsImages && (
        <div className={styles.advice}>
          <Sentence text={words.picture.add} parts={{ button }} />
        </div>
      )}
      {problem && (
        <p className={layout.wrong} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The picture before the prompt's text, and a button that removes it. */
function PromptPicture({ picture, onRemove }: { readonly picture: Picture; readonly onRemove: () => void }) {
  const words = promptWords().picture;
  return (
    <div className={styles.pictureRow} data-testid="prompt-picture">
      <img className={styles.picture} src={dataUrl(picture)} alt={sectionsWords().pictureAlt(picture.name)} />
      <div className={styles.facts}>
        <span className={styles.name}>{picture.name}</span>
        <span>{words.about}</span>
        <Button look="quiet" data-testid="remove-picture" focus="prompt" onClick={onRemove}>
          {words.remove}
        </Button>
      </div>
    </div>
  );
}

function usePictureEntry() {
  const { explain } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const readsImages = useModelFacts()?.readsImages;
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      const { readPictureFile } = await import('./picture-file.ts');
      explain.getState().edit({ picture: await readPictureFile(file) });
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const remove = () => {
    setProblem(null);
    explain.getState().edit({ picture: null });
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (!file || !readsImages) return; // text is pasted as usual
    event.preventDefault();
    void take(file);
  };
  return { readsImages, problem, take, remove, onPaste };
}

/** A text to explain instead of the model's own answer, in a fold that is open where there is one. */
function TargetEditor() {
  const { explain } = useStores();
  const target = useStoreValue('explain', (state) => state.question.target);
  const [isOpen, setIsOpen] = useState(false);
  const words = promptWords().target;
  const mark = useFieldMark('target', 'target-length');
  return (
    <details
      className={styles.advanced}
      open={isOpen || target !== ''}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{words.fold}</summary>
      <div className={styles.field}>
        <LabelRow htmlFor="target" label={words.label}>
          <span className={styles.hint} id="target-length">
            {lengthText(target)}
          </span>
        </LabelRow>
        <GrowingTextarea
          {...mark}
          data-testid="target"
          value={target}
          placeholder={words.placeholder}
          onChange={(event) => explain.getState().edit({ target: event.target.value })}
        />
        <FieldNote field="target" />
      </div>
    </details>
  );
}

function GranularityField() {
  const { explain } = useStores();
  const upstream = useModelFacts()?.upstream ?? null;
  const granularity = useStoreValue('explain', ({ question }) => granularityOf(question.settings, upstream));
  const offered = GRANULARITIES.filter((one) => granularityOf({ granularity: one }, upstream) === one);
  const words = questionSettingsWords();
  const label = fieldLabel('granularity');
  return (
    <div className={styles.field} id="granularity">
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <Choice
        label={label}
        options={offered.map((value) => ({ value, label: words.granularities[value] }))}
        value={granularity}
        onChoose={(value) => explain.getState().adjust({ granularity: value })}
      />
      {granularity === 'auto' && <p className={styles.hint}>{words.autoHint}</p>}
      {granularity === 'custom' && <DelimiterField />}
      <FieldNote field="granularity" />
    </div>
  );
}

/** Where a custom granularity splits; line ends are written `\n`, because a one-line field cannot hold them. */
function DelimiterField() {
  const { explain } = useStores();
  const delimiter = useStoreValue('explain', (state) => state.question.settings.delimiter);
  const mark = useFieldMark('delimiter');
  return (
    <>
      <label className={styles.delimiter}>
        {fieldLabel('delimiter')}
        <input
          {...mark}
          data-testid="delimiter"
          value={delimiter.replaceAll('\n', '\\n')}
          placeholder={questionSettingsWords().delimiterExample}
          onChange={(event) => explain.getState().adjust({ delimiter: event.target.value.replaceAll('\\n', '\n') })}
        />
      </label>
      <FieldNote field="delimiter" />
    </>
  );
}

/** Position of 1 on the slider, 0 … 1. */
const ONE = FACTORS.indexOf(1) / (FACTORS.length - 1);

function FactorField() {
  const { explain } = useStores();
  const factor = useStoreValue('explain', (state) => state.question.settings.factor);
  const text = strengthText(factor);
  const label = fieldLabel('factor');
  const words = questionSettingsWords().marks;
  const marks = [
    { text: words.none, share: 0 },
    { text: words.one, share: ONE },
    { text: '2', share: 1 },
  ];
  return (
    <div className={styles.field}>
      <div className={styles.labelRow}>
        <span className={styles.label}>{label}</span>
        <span className={styles.hint}>{text}</span>
      </div>
      <StopsSlider
        label={label}
        stops={FACTORS}
        value={factor}
        text={text}
        onChange={(value) => explain.getState().adjust({ factor: value })}
      />
      <div className={styles.marks} aria-hidden>
        {marks.map((mark) => (
          <span key={mark.text} style={{ left: `${mark.share * 100}%` }}>
            {mark.text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Fields inside: a problem of one of them opens the fold. */
const INSIDE: readonly FieldName[] = ['factor', 'scaling', 'overlap', 'similarity', 'target-parts'];

const LengthAdvice = lazy(async () => ({ default: (await import('./length-advice.tsx')).LengthAdvice }));

/** Most questions do not need them, so they are loaded when the fold is opened. */
const MoreSettings = lazy(async () => ({ default: (await import('../settings/more-settings.tsx')).MoreSettings }));

function AdvancedSettings() {
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = useProblemsIn(INSIDE).length > 0;
  const words = questionSettingsWords();
  return (
    <details
      className={styles.advanced}
      open={isOpen || isWrong}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{words.more}</summary>
      {(isOpen || isWrong) && (
        <FallbackBoundary fallback={<p className={styles.hint}>{words.moreFailed}</p>}>
          <MoreSettings />
        </FallbackBoundary>
      )}
    </details>
  );
}
