import { createService } from 'lightwell';
import { ask } from 'lightwell/ask';
import { createClient } from 'lightwell/client';

const prompt = "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:";
const service = createService({ modelsUrl: '/' }); // vite.config.ts serves the models at the root
const answer = await ask(createClient(service), { model: 'lightwell-base', prompt });
if (!answer.ok) throw new Error(answer.problem.message);

const item = answer.value.explanations[0]?.items[0];
const scores = item?.type === 'text' ? item.scores : [];
const lines = scores.map(({ start, length, score }) => `${score.toFixed(2)}  ${prompt.slice(start, start + length)}`);
const result = document.getElementById('result');
if (result) result.textContent = [...lines, `The model answers:${answer.value.target}`].join('\n');
