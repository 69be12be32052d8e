import type { View } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { HeatMap } from './heat-map.tsx';
import { Legend } from '../scores/legend.tsx';
import { PictureHeat } from './picture-heat.tsx';
import { Readout } from '../result/readout.tsx';

/**
 * The whole prompt by influence. Picture and text have a scale each: one of many tiles counts for less than a word does,
 * and would hardly be seen beside it.
 */
export function PromptHeat({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { influence, question } = outcome;
  const { factor } = question.settings;
  return (
    <>
      {question.picture && (
        <>
          <PictureHeat picture={question.picture} tiles={influence.picture} view={view} />
          <Legend sections={influence.picture} view={view} factor={factor} />
        </>
      )}
      {question.prompt !== '' && <HeatMap text={question.prompt} sections={influence.prompt} view={view} />}
      <Readout influence={influence} view={view} />
      {question.prompt !== '' && <Legend sections={influence.prompt} view={view} factor={factor} />}
    </>
  );
}
