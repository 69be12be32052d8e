import { useEffect } from 'react';
import { useStoreValue } from '../../use-stores.ts';
import { type FieldName, fieldProblems } from './field-problems.ts';
import styles from './problem.module.css';

/** The problem of the newest request; null while there is none. */
function useProblem() {
  return useStoreValue('explain', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
}

/** What is wrong with a field; undefined where nothing is. */
export function useFieldProblem(field: FieldName): string | undefined {
  return useProblemsIn([field])[0]?.text;
}

/** What is wrong with some of the fields. */
export function useProblemsIn(fields: readonly FieldName[]) {
  const problem = useProblem();
  return problem ? fieldProblems(problem).filter(({ field }) => fields.includes(field)) : [];
}

/** What the element of a field carries: whether it is wrong, and where that is said. */
export function useFieldMark(field: FieldName, describedBy = '') {
  const isWrong = useFieldProblem(field) !== undefined;
  const ids = isWrong ? `${describedBy} ${idOfNote(field)}`.trim() : describedBy;
  return { id: field, 'aria-invalid': isWrong, ...(ids !== '' && { 'aria-describedby': ids }) };
}

const idOfNote = (field: FieldName) => `${field}-problem`;

/** What is wrong with a field, said beside it. The first wrong one takes the focus and is scrolled to. */
export function FieldNote({ field }: { readonly field: FieldName }) {
  const problem = useProblem();
  const problems = problem ? fieldProblems(problem) : [];
  const text = problems.find((one) => one.field === field)?.text;
  const isFirst = problems[0]?.field === field;
  useEffect(() => {
    if (problem && isFirst) showField(field);
  }, [problem, isFirst, field]);
  if (text === undefined) return null;
  return (
    <p className={styles.note} id={idOfNote(field)} role="alert" data-testid={idOfNote(field)}>
      {text}
    </p>
  );
}

/** Moves focus and window to a field: an element that takes text, or a group of radio buttons. */
export function showField(field: FieldName): void {
  const element = document.getElementById(field);
  const control = element?.matches('input, textarea, select') ? element : element?.querySelector<HTMLElement>(CHOSEN);
  control?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center' });
}

const CHOSEN = ':checked, input';
