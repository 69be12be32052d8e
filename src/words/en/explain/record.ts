import { wordsOf } from '../../spoken.ts';

/** A record that is computed again. */
export const RECORD = {
  label: 'Check of a record',
  title: (file: string) => `Record ‘${file}’`,
  running: 'Computing the record again',
  holds: (nats: string, scores: string) =>
    `The record holds: computed again here, ${scores} scores differ by at most ${nats} nats.`,
  differs: (nats: string, scores: string) =>
    `The record does not hold: computed again here, ${scores} scores differ by up to ${nats} nats.`,
  otherDevice: 'So small a difference can come from another kind of device, which rounds numbers differently.',
  otherSections: 'The record does not hold: computed again here, the prompt has other sections.',
  otherModel: (recorded: string, recomputed: string) => `Recorded by ${recorded}, computed again by ${recomputed}.`,
  sameFiles: 'The files of the model are the recorded ones.',
  otherFiles: 'The files of the model are not the recorded ones.',
  unknownFiles: 'Whether the files of the model are the same is not known.',
  unreadable: (reason: string) => `This is no record that can be read: ${reason}.`,
  close: 'Close',
};

/** See `RECORD`. */
export const recordWords = wordsOf('explain/record', RECORD);
