import { Template } from '@huggingface/jinja';
import { describe, expect, it, vi } from 'vitest';
import { threadHeartbeats } from '../../../../../workers/engine/device/guard.ts';
import { renderChatTemplate } from '../../../../../workers/operations/complete/chat-template.ts';

const messages = Array.from({ length: 1000 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${at}`,
}));

/** In the manner of published templates: a check of the roles, the number of messages in each turn, a look at the turn before. */
const TEMPLATE =
  '{%- set ns = namespace(last = messages|length - 1) -%}{%- for message in messages[::-1] %}{%- set ns.last = ns.last - 1 %}{%- endfor %}' +
  "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}" +
  '{% if loop.index0 > 0 and messages[loop.index0 - 1].role == message.role %}again{% endif %}{% if loop.index0 < messages|length - 1 %}<s>{% endif %}' +
  "{{ '[' + message.role|upper + '] ' + message.content|trim + '\n' }}{% endfor %}{% for i in range(3) %}{{ i }}{% endfor %}{% if none is none and True %}{{ strftime_now('%Y')|length }}{% endif %}";

describe('renderChatTemplate', () => {
  it('renders as the library does, a thousand messages too', () => {
    const variables = { messages, bos_token: '<b>', add_generation_prompt: true };
    expect(renderChatTemplate(TEMPLATE, variables)).toBe(new Template(TEMPLATE).render(variables));
  });

  it('has room for a message of eight million characters', () => {
    const long = [{ role: 'user', content: 'x'.repeat(8_000_000) }];
    expect(renderChatTemplate(TEMPLATE, { messages: long, bos_token: '' }).length).toBeGreaterThan(8_000_000);
  });

  it('says before and after that it has ten seconds', () => {
    const onBeat = vi.fn();
    threadHeartbeats.listen(onBeat);
    renderChatTemplate('x', {});
    threadHeartbeats.listen(() => undefined);
    const limits = onBeat.mock.calls.map(([, limit]) => limit?.ms);
    expect(limits).toEqual([10_000, undefined]);
  });

  it.each([
    ['two nested loops', '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}', /steps/],
    [
      'two nested loops over one list',
      '{% set l = range(100000) %}{% for a in l %}{% for b in l if b %}x{% endfor %}{% endfor %}',
      /steps/,
    ],
    ['a range without end', '{% for a in range(1000000000000) %}{% endfor %}', /range: .*entries/],
    ['a range of steps of nothing', '{% for a in range(1, 2, 0) %}{% endfor %}', /range: .*entries/],
    [
      'a text that doubles',
      "{% set ns = namespace(s='ab') %}{% for a in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
      /steps|length/,
    ],
    [
      'a list that doubles',
      '{% set ns = namespace(l=[1]) %}{% for a in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
      /steps/,
    ],
    [
      'a macro that is called in loops',
      '{% macro f() %}{% for a in range(1000) %}x{% endfor %}{% endmacro %}{% for b in range(1000) %}{{ f() }}{% endfor %}',
      /steps/,
    ],
    [
      'a loop that filters a long list',
      "{% set l = range(100000)|list %}{% for a in l %}{% set x = l|selectattr('y')|list %}{% endfor %}",
      /steps|filter|objects/,
    ],
    ['a template of a megabyte', ' '.repeat(1_000_000), /characters/],
    ['brackets nested deeply', `{{ ${'('.repeat(90_000)} }}`, /./],
  ])('ends with a reason for %s', (_name, template, reason) => {
    expect(() => renderChatTemplate(template, { messages })).toThrow(reason);
  });

  it("passes the template's own message on", () => {
    expect(() => renderChatTemplate("{{ raise_exception('roles must alternate') }}", {})).toThrow(
      'roles must alternate',
    );
  });
});
