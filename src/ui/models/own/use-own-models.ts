import { type OwnModels, ownModelsOf } from '../../../state/models/own/own-models.ts';
import { useStoreValue } from '../../use-stores.ts';

/** The models that somebody brought; the same stores for as long as the app is open. */
export function useOwnModels(): OwnModels {
  return ownModelsOf(useStoreValue('models', (state) => state.home));
}
