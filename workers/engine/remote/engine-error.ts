/** What an engine answered is no answer of the protocol, or not to what was asked. */
export class EngineAnswerError extends Error {
  override readonly name = 'EngineAnswerError';
}
