import { lazy, Suspense } from 'react';
import { useStoreValue } from '../../use-stores.ts';

const RecordCheck = lazy(async () => ({ default: (await import('./record-check.tsx')).RecordCheck }));

/** The place of a dropped record, above question and result. */
export function RecordSlot() {
  const records = useStoreValue('variations', (state) => state.records);
  if (!records) return null;
  return (
    <Suspense fallback={null}>
      <RecordCheck store={records} />
    </Suspense>
  );
}
