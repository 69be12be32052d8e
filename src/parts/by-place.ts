import { createElement, Fragment, type ReactNode } from 'react';

/** The elements of a list whose members have nothing but their place to tell them apart, such as cells, or texts that may repeat. */
export function byPlace<Item>(items: readonly Item[], elementOf: (item: Item, place: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map((item, place) => elementOf(item, place)));
}
