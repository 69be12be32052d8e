import { isRecord } from '../../contract/records.ts';
import { readScores } from '../../formats/read-scores.ts';
import { create } from './drawn-element.ts';
import './heat-map.ts';

/** The traits of the widget in Python. @source anywidget.dev, Anywidget Front-End Module */
interface WidgetModel {
  get(trait: 'value'): unknown;
  set(trait: 'selected', value: unknown): void;
  save_changes(): void;
  on(event: 'change:value', listener: () => void): void;
  off(event: 'change:value', listener: () => void): void;
}

/** Called for each place that shows a widget: draws the value, or says what is wrong with it. @returns what ends it */
function render({ model, el }: { readonly model: WidgetModel; readonly el: HTMLElement }): () => void {
  const map = create('lightwell-heat-map');
  const show = () => {
    try {
      Object.assign(map, propertiesOf(model.get('value')));
      el.replaceChildren(map);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      el.replaceChildren(create('p', { role: 'alert' }, error.message));
    }
  };
  map.addEventListener('lightwell-select', (event) => {
    if (!(event instanceof CustomEvent)) return;
    model.set('selected', event.detail);
    model.save_changes();
  });
  model.on('change:value', show);
  show();
  return () => model.off('change:value', show);
}

/** What anywidget loads. @source anywidget.dev: named exports are deprecated */
export default { render };

/** Properties of the element, or what another tool has written. */
function propertiesOf(value: unknown): object {
  return isRecord(value) && 'text' in value && 'scores' in value ? value : readScores(value);
}
