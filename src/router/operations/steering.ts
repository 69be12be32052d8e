import { OPENAI_DOCS, OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { operation } from '../operation.ts';
import { storeConcept } from '../request/concepts.ts';
import { jobPrompt } from '../request/prompt.ts';

const create = operation({
  ...OPERATION_DOCS.steeringConcepts,
  kind: 'steeringConcept',
  use: 'complete',
  async input({ examples, layer = null }, tools) {
    const checked = examples.map(async ({ positive, negative }, index) => ({
      positive: await jobPrompt(positive, `examples[${index}].positive`, tools),
      negative: await jobPrompt(negative, `examples[${index}].negative`, tools),
    }));
    return { examples: await Promise.all(checked), layer };
  },
  output(concept, { version, model, storage }) {
    const { id, layer, layers } = concept;
    return { id, model_version: version, layer, layers, removed: storeConcept(concept, model, storage) };
  },
});

/** `POST /steering_concepts`, and the same below `/v1`. */
export const steeringOperations = [create, { ...create, path: OPENAI_DOCS.steeringConcepts.path }];
