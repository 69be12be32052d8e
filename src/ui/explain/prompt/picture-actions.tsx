import { Button } from '../../parts/button.tsx';
import { download, textFile } from '../../parts/download.ts';
import { pngFile, svgFile } from '../../parts/picture.ts';
import styles from '../result/result-panel.module.css';

/** A drawing, found when it is asked for, and the name of its file. */
export interface PictureActionsProps {
  readonly name: string;
  readonly drawing: () => SVGSVGElement | null;
}

/** Takes a drawing along as a picture. */
export function PictureActions({ name, drawing }: PictureActionsProps) {
  const saveSvg = () => {
    const found = drawing();
    if (found) download(`${name}.svg`, textFile('image/svg+xml', svgFile(found)));
  };
  const savePng = async () => {
    const found = drawing();
    if (found) download(`${name}.png`, await pngFile(found));
  };
  return (
    <div className={styles.actions}>
      <Button look="quiet" onClick={saveSvg}>
        Save SVG
      </Button>
      <Button look="quiet" onClick={() => void savePng()}>
        Save PNG
      </Button>
    </div>
  );
}
