import { createService } from 'lightwell';
import { createClient } from 'lightwell/client';

const prompt = "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:";
const service = createService({ modelsUrl: '/' }); // vite.config.ts serves the models at the root
const client = createClient(service);
const answer = await client.explain({
  model: 'lightwell-base',
  prompt,
  target: " Luigi's",
  prompt_granularity: { type: 'word' },
});
if (!answer.ok) throw new Error(answer.problem.message);

const item = answer.value.explanations[0]?.items[0];
const scores = item?.type === 'text' ? item.scores : [];
const lines = scores.map(({ start, length, score }) => `${score.toFixed(2)}  ${prompt.slice(start, start + length)}`);
const result = document.getElementById('result');
if (result) result.textContent = lines.join('\n');
