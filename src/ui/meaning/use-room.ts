import { useEffect, useState } from 'react';
import { type Room, roomOf } from '../../state/meaning/room.ts';
import { useStoreValue, useValueOf } from '../use-stores.ts';

/** The room of the page; the same for as long as the app is open. */
export function useRoom(): Room {
  return roomOf(useStoreValue('meaning', (state) => state.source));
}

/** What the collection holds; null before the first texts. */
export function useCollected() {
  return useValueOf(useRoom().collection, (state) => state.collected);
}

/** A value that follows another one when that has rested. */
export function useRested<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}
