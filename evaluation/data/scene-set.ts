import sceneSetUrl from './scenes.json?url';

/** An object of a scene. */
export interface SceneObject {
  readonly size: string;
  readonly colour: string;
  readonly shape: string;
  /** 0 to 8 in reading order. */
  readonly cell: number;
}

/** A picture with what is in it, written by training/. No pair of shape and colour was in training. */
export interface Scene {
  /** PNG file, base64. */
  readonly picture: string;
  /** In reading order. */
  readonly objects: readonly SceneObject[];
  readonly question: { readonly kind: string; readonly text: string; readonly answer: string };
  /** Rows and columns of the 12 × 12 tiles on which the object lies that is asked for; `bottom` and `right` exclusive. */
  readonly tiles: TileRange;
}

/** Rows and columns, `bottom` and `right` exclusive. */
export interface TileRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The words that captions are made of. */
export interface CaptionWords {
  readonly sizes: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
  /** Names of the nine places, in reading order. */
  readonly cells: readonly string[];
}

/** `scenes.json`. */
export interface SceneSet {
  readonly words: CaptionWords;
  readonly scenes: readonly Scene[];
}

/** The committed scenes. */
export async function loadScenes(): Promise<SceneSet> {
  const response = await fetch(sceneSetUrl);
  if (!response.ok) throw new Error(`expected the scenes at ${sceneSetUrl}, got HTTP ${response.status}`);
  return response.json();
}
