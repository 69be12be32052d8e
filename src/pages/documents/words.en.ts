import { countText, numberText, wordsFor } from '../../words/language.ts';

/** What a server was sent; `isAll`: nothing was stopped or is on its way. */
interface Sent {
  readonly requests: number;
  readonly tokens: number;
  readonly isAll: boolean;
}

const passages = (count: number) => countText(count, { one: 'passage', other: 'passages' });

/** The documents page. */
export const documentsWords = wordsFor('documents', {
  title: 'Documents',
  claim: 'Ask questions about your documents, and see the sentence that answers.',
  sent: (host: string) =>
    `Files are read on your device and not stored: they are gone when you close this tab. Models at ${host} are sent what they answer from.`,
  privacy:
    'Files are read on your device. They are sent nowhere and not stored: they are gone when you close this tab.',
  english: 'The built-in reader knows only English: ask English questions about English texts.',
  empty: {
    title: 'Drop files here',
    kinds: 'PDF, Word (.docx), Markdown or text, several at once.',
    example: 'Try an example contract',
  },
  list: {
    label: 'Your documents',
    add: 'Add files',
    choose: 'Choose files',
    remove: (name: string) => `Remove ‘${name}’`,
    removed: (name: string) => `‘${name}’ was removed.`,
    undo: 'Undo',
    waiting: (name: string) => `Reading ‘${name}’`,
    pages: { one: 'page', other: 'pages' },
    words: { one: 'word', other: 'words' },
  },
  ask: {
    label: 'Question',
    placeholder: 'Who is liable for damage?',
    ask: 'Ask',
    cancel: 'Cancel',
    noDocument: 'Add a document first.',
    noQuestion: 'Enter a question.',
    history: 'Asked before',
    suggestions: 'Try:',
    progress: 'Answers',
    reading: 'Reading the files …',
    starting: 'Asking …',
    queue: 'Waiting for other requests …',
    download: (percent: string) => `Loading the reader, ${percent} %`,
    compile: 'Preparing the reader …',
    run: (done: number, total: number) => `${numberText(done)} of ${passages(total)} read`,
  },
  answers: {
    to: (question: string) => `Answers to ‘${question}’`,
    soFar: 'Best answers so far',
    stopped: (done: number, total: number) =>
      `Stopped after ${numberText(done)} of ${passages(total)}. The best answers until then are shown.`,
    onlyPerhaps: 'No answer is likely: check what is shown against its sentence.',
    none: 'Nothing found',
    noneDetail: (score: string) =>
      `The best passage has a score of only ${score}. If the documents should have the answer, ask in other words.`,
    nothingRead: 'The documents contain no text.',
    added: {
      one: 'document was added after this question and was not searched.',
      other: 'documents were added after this question and were not searched.',
    },
    again: 'Ask again',
    more: (count: number) => `Show ${countText(count, { one: 'more answer', other: 'more answers' })}`,
    certainty: { likely: 'Likely', perhaps: 'Perhaps' },
    score: (score: string) => `score ${score}`,
    scoreAbout: (tenths: number) =>
      `In the evaluation on encyclopedia texts, ${tenths < 1 ? 'fewer than 1' : `about ${numberText(tenths)}`} of 10 answers with such a score ${tenths === 1 ? 'was' : 'were'} right. Other texts may differ.`,
    yesNo: 'The question asks for yes or no. Read the sentences: the model does not decide it.',
    missing: (words: string) => `The sentence does not mention ${words}: it may answer another question.`,
    quoted: (word: string) => `‘${word}’`,
    page: (number: string) => `page ${number}`,
    explain: 'Explain this answer',
    copy: 'Copy with source',
    keys: 'Up and down arrow keys go from answer to answer.',
  },
  /** The answer of a server, and its passages. */
  cited: {
    title: (model: string, host: string) => `Answer of ‘${model}’ at ${host}`,
    failed: 'The answer of the server cannot be shown: its part of the page did not load. Reload the page.',
    none: 'Ask a question: the passages that are found for it can then be sent.',
    /** Each cost is null where no price is known. */
    plan: (host: string, count: number, tokens: string, cost: string | null) =>
      `Sends the question and ${passages(count)} to ${host}: 1 request with about ${tokens} tokens for the answer${cost === null ? '' : `, which costs about ${cost}`}.`,
    perSentence: (most: string, requests: string, tokens: string, cost: string | null) =>
      `Then ${requests} requests with about ${tokens} tokens find the passages of each of its sentences, ${most} at most${cost === null ? '' : `; each costs about ${cost}`}.`,
    ask: (host: string) => `Ask ${host}`,
    stop: 'Stop',
    progress: 'Requests',
    writing: 'The server writes the answer …',
    linking: (done: string, total: string) => `${done} of ${total} requests answered`,
    stopped: 'Stopped. What is known until then is shown.',
    cut: (tokens: string) => `The answer is longer: ${tokens} tokens were written.`,
    unsupported: 'Without support: no passage makes this sentence clearly more likely.',
    unexamined: 'Not examined.',
    effect: {
      more: (times: string) => `${times} more likely`,
      less: (times: string) => `${times} less likely`,
      same: 'about as likely',
    },
    link: (without: string, alone: string) =>
      `Without this passage the sentence is ${without}; with it alone, compared with no passage, ${alone}.`,
    commands: 'It contains instructions.',
    command: (source: string, sentence: string) =>
      `${source} contains instructions: ${sentence} Check whether the answer follows them.`,
    sent: (place: string, isHere: boolean, { requests, tokens, isAll }: Sent) =>
      `This left ${isHere ? 'the page' : 'your device'}: question and passages were sent to ${place}, in ${isAll ? '' : 'at least '}${countText(requests, { one: 'request', other: 'requests' })} with ${isAll ? '' : 'at least '}${countText(tokens, { one: 'token', other: 'tokens' })}.`,
  },
  view: {
    label: (name: string) => `Text of ‘${name}’`,
    page: (number: string, total: string) => `Page ${number} of ${total}`,
    drawFailed: 'This page could not be drawn. Its text was still read.',
    lacksPicture:
      'A picture on this page is not shown: it is in a format without a decoder here, such as JPEG 2000, too large or damaged.',
    openFailed: 'This file could not be opened again. Remove it and add it once more.',
    table: 'Table',
    back: 'Back to the answers',
    none: 'The document appears here when it has been read.',
  },
  save: {
    label: 'Save answers',
    csv: 'CSV',
    json: 'JSON',
    markdown: 'Markdown',
    report: 'Report',
    print: 'Print',
    saved: (name: string) => `Saved ${name}`,
    reportTitle: (question: string) => `Answers to ‘${question}’`,
    passage: 'Passage',
    made: 'Answered with Lightwell by a small language model. Check each answer against its sentence.',
    source: (name: string) => `Source: ${name}`,
  },
  problem: {
    retry: 'Try again',
    PROMPT_TOO_LONG: 'The question is too long. Shorten it to one sentence.',
    MISSING_CAPABILITY: 'The model chosen for questions cannot answer from texts. Choose another one in Settings.',
    TIMEOUT: 'The answer took too long. Search fewer documents at once, or raise the time-out in Settings.',
    QUEUE_FULL: 'Too many requests are waiting. Let them finish, then try again.',
    DEVICE_LOST: 'The device stopped. The model restarts: try again.',
    OUT_OF_MEMORY: 'The device lacks memory. Close other pages and programs, then try again.',
    MODEL_UNAVAILABLE: 'The reader could not be loaded. Check the connection to this site, then try again.',
    ENGINE_UNAVAILABLE: 'The remote engine does not answer. Try again, or switch it off in Settings.',
    NO_WEBASSEMBLY: 'WebAssembly is switched off in this browser. Models run on it: allow it for this site.',
    other: 'Something went wrong. Try again; if it happens twice, reload the page.',
  },
});
