import type { z } from 'zod';
import { CompleteEvent, CompleteJsonRequest, CompleteRequest, CompleteResponse } from '../complete.ts';
import {
  BatchSemanticEmbedRequest,
  BatchSemanticEmbedResponse,
  EmbedRequest,
  EmbedResponse,
  SemanticEmbedRequest,
  SemanticEmbedResponse,
} from '../embed.ts';
import {
  EvaluateRequest,
  EvaluateResponse,
  LensRequest,
  LensResponse,
  PredictRequest,
  PredictResponse,
} from '../likelihood.ts';
import { ExplainRequest, ExplainResponse } from '../explain.ts';
import {
  ChatEvent,
  ChatRequest,
  ChatResponse,
  CompletionsEvent,
  CompletionsRequest,
  CompletionsResponse,
  EmbeddingsRequest,
  EmbeddingsResponse,
} from '../openai.ts';
import { QaRequest, QaResponse } from '../qa.ts';
import { SteeringConceptRequest, SteeringConceptResponse } from '../steering.ts';
import {
  DetokenizeRequest,
  DetokenizeResponse,
  InstructableEmbedRequest,
  RerankRequest,
  RerankResponse,
  TokenizeRequest,
  TokenizeResponse,
} from '../tokenize.ts';

/** An operation that runs a model, as clients see it. */
export interface OperationDoc {
  readonly path: `/${string}`;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  /** Of each server-sent event, where a request may ask for those. */
  readonly event?: z.ZodType;
  readonly deprecated?: boolean;
}

/** The operations that run a model. All are a `POST`. */
export const OPERATION_DOCS = {
  embed: { path: '/embed', summary: 'Embeds one prompt.', request: EmbedRequest, response: EmbedResponse },
  semanticEmbed: {
    path: '/semantic_embed',
    summary: 'Embeds one prompt for comparing.',
    request: SemanticEmbedRequest,
    response: SemanticEmbedResponse,
  },
  batchSemanticEmbed: {
    path: '/batch_semantic_embed',
    summary: 'Embeds up to 100 prompts for comparing.',
    request: BatchSemanticEmbedRequest,
    response: BatchSemanticEmbedResponse,
  },
  explain: {
    path: '/explain',
    summary: 'Explains how prompt sections influence a target.',
    request: ExplainRequest,
    response: ExplainResponse,
  },
  complete: {
    path: '/complete',
    summary: 'Continues a prompt.',
    request: CompleteRequest,
    response: CompleteResponse,
    event: CompleteEvent,
  },
  completeJson: {
    path: '/complete/json',
    summary: 'Continues a prompt with JSON.',
    request: CompleteJsonRequest,
    response: CompleteResponse,
    event: CompleteEvent,
  },
  chat: {
    path: '/chat/completions',
    summary: 'Answers a dialogue.',
    request: ChatRequest,
    response: ChatResponse,
    event: ChatEvent,
  },
  embeddings: {
    path: '/embeddings',
    summary: 'Embeds texts for comparing.',
    request: EmbeddingsRequest,
    response: EmbeddingsResponse,
  },
  instructableEmbed: {
    path: '/instructable_embed',
    summary: 'Embeds one prompt for a purpose in words.',
    request: InstructableEmbedRequest,
    response: SemanticEmbedResponse,
  },
  rerank: {
    path: '/rerank',
    summary: 'Orders documents by their relevance to a query.',
    request: RerankRequest,
    response: RerankResponse,
  },
  tokenize: { path: '/tokenize', summary: 'Splits a text.', request: TokenizeRequest, response: TokenizeResponse },
  detokenize: {
    path: '/detokenize',
    summary: 'The text of token ids.',
    request: DetokenizeRequest,
    response: DetokenizeResponse,
  },
  steeringConcepts: {
    path: '/steering_concepts',
    summary: 'Makes a concept that steers a model, from pairs of texts.',
    request: SteeringConceptRequest,
    response: SteeringConceptResponse,
  },
  evaluate: {
    path: '/evaluate',
    summary: 'How likely a completion is.',
    request: EvaluateRequest,
    response: EvaluateResponse,
  },
  predict: {
    path: '/predict',
    summary: "What the model itself says, and how it rates a target. Lightwell's own.",
    request: PredictRequest,
    response: PredictResponse,
  },
  lens: {
    path: '/lens',
    summary: "What the model would predict if it ended after each of its layers. Lightwell's own.",
    request: LensRequest,
    response: LensResponse,
  },
  qa: {
    path: '/qa',
    summary: 'Answers a question from documents.',
    request: QaRequest,
    response: QaResponse,
    deprecated: true,
  },
} as const satisfies Readonly<Record<string, OperationDoc>>;

/** OpenAI's routes that run a model. All are a `POST`, and fail in OpenAI's form. */
export const OPENAI_DOCS = {
  completions: {
    path: '/v1/completions',
    summary: 'Continues prompts.',
    request: CompletionsRequest,
    response: CompletionsResponse,
    event: CompletionsEvent,
  },
  /** Without a temperature the service takes the likeliest token; to OpenAI's clients it is 1. */
  chat: { ...OPERATION_DOCS.chat, path: '/v1/chat/completions' },
  embeddings: { ...OPERATION_DOCS.embeddings, path: '/v1/embeddings' },
  steeringConcepts: { ...OPERATION_DOCS.steeringConcepts, path: '/v1/steering_concepts' },
  explanations: { ...OPERATION_DOCS.explain, path: '/v1/explanations' },
} as const satisfies Readonly<Record<string, OperationDoc>>;

type Docs = typeof OPERATION_DOCS;

/** Bodies as a client sends them, before defaults are filled in, and answers. */
export type OperationTypes = {
  [Name in keyof Docs]: {
    readonly body: z.input<Docs[Name]['request']>;
    readonly answer: z.output<Docs[Name]['response']>;
  };
};
