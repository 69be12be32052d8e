import type { Writing } from '../../test/support/files/facts/writing.ts';
import { type Invented, inventedBy } from './invented.ts';

/** A kind of document: its title, what it states, and sentences around that. */
interface Kind {
  readonly title: string;
  readonly facts: readonly ((some: Invented) => string)[];
  readonly fillers: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    title: 'Lease of a flat',
    facts: [
      (some) => `The deposit of ${some.person()} is ${some.amount()} euros under number ${some.number()}`,
      (some) => `The tenant ${some.person()} pays ${some.amount()} euros each month into account ${some.number()}`,
      (some) => `The flat at ${some.address()} is handed over on ${some.date()} with key ${some.number()}`,
    ],
    fillers: [
      'Both parties report damage at once and in writing, and the landlord has it repaired within a reasonable time.',
      'Pets are allowed with the consent of the landlord, who may refuse it only for a good reason.',
      'The stairs are cleaned by the residents in turn; the plan hangs in the hall.',
    ],
  },
  {
    title: 'Payslip',
    facts: [
      (some) => `Net pay of ${some.person()} for period ${some.number()} is ${some.amount()} euros`,
      (some) => `Income tax withheld under file ${some.number()} is ${some.amount()} euros`,
      (some) => `Holiday left for ${some.person()} is ${some.below(30)} days of contract ${some.number()}`,
    ],
    fillers: [
      'Amounts are paid on the last working day of the month to the account that the employee has named.',
      'Objections to this statement are made to the payroll office within four weeks.',
    ],
  },
  {
    title: 'Invoice',
    facts: [
      (some) => `Invoice ${some.number()} of ${some.date()} amounts to ${some.amount()} euros`,
      (some) => `The goods of order ${some.number()} were sent to ${some.person()} on ${some.date()}`,
      (some) => `A discount of ${some.amount()} euros was granted by ${some.person()} for order ${some.number()}`,
    ],
    fillers: [
      'The amount is due within thirty days without deduction, and the goods remain ours until it is paid.',
      'We thank you for your order and look forward to the next one.',
    ],
  },
  {
    title: 'Staff handbook',
    facts: [
      (some) => `Questions of safety are answered by ${some.person()} at extension ${some.number()}`,
      (some) => `The allowance for a journey is ${some.amount()} euros under rule ${some.number()}`,
      (some) => `The office at ${some.address()} opens with code ${some.number()}`,
    ],
    fillers: [
      'Visitors sign the list at the reception and are met there by their host.',
      'Whoever is ill says so before nine and sends a certificate from the third day on.',
      'Passwords are shared with nobody, not even with the technicians.',
    ],
  },
  {
    title: 'Minutes of the board',
    facts: [
      (some) => `The board grants ${some.person()} a budget of ${some.amount()} euros in resolution ${some.number()}`,
      (some) => `Item ${some.number()} was put off until ${some.date()} at the request of ${some.person()}`,
      (some) => `The bid of ${some.person()} over ${some.amount()} euros was accepted under number ${some.number()}`,
    ],
    fillers: [
      'The chair opened the meeting and found that enough members were present.',
      'After a short discussion the members agreed to return to the matter at the next meeting.',
    ],
  },
];

/** A document of an office about invented people and numbers, the same for each seed. */
export function officeWriting(seed: number): Writing {
  const some = inventedBy(seed);
  const { title, facts, fillers } = KINDS[seed % KINDS.length] as Kind;
  const oneOf = <Value>(values: readonly Value[]) => values[some.below(values.length)] as Value;
  return { title, fact: () => oneOf(facts)(some), filler: () => oneOf(fillers) };
}
