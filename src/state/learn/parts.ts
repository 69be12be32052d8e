/** The lessons, in the order in which they are read. */
export const LESSONS = ['tokens', 'attention', 'granularity'] as const;
export type Lesson = (typeof LESSONS)[number];

/** The lesson that an address names; the first where it names none. */
export function lessonIn(part: string | null): Lesson {
  return LESSONS.find((one) => one === part) ?? LESSONS[0];
}
