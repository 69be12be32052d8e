import type { TextTable } from './texts.ts';

/** A short text, what it is about, and the way it came. */
export interface ExampleComment {
  readonly text: string;
  readonly topic: string;
  readonly channel: string;
}

const ROWS: readonly (readonly [topic: string, channel: string, text: string])[] = [
  ['delivery', 'email', 'The parcel came two days late and nobody told me why.'],
  ['delivery', 'phone', 'My order arrived a week after the promised date.'],
  ['delivery', 'web', 'Delivery was quick, the box stood at my door the next morning.'],
  ['delivery', 'web', 'The courier left the package in the rain in front of the garage.'],
  ['delivery', 'email', 'Tracking said delivered, but nothing was in my mailbox.'],
  ['delivery', 'phone', 'I waited at home all day and the driver never rang the bell.'],
  ['delivery', 'web', 'Shipping was free and faster than I expected.'],
  ['delivery', 'email', 'Half of the items came in a second parcel without any notice.'],
  ['delivery', 'web', 'The parcel shop was closed, so I had to drive there twice.'],
  ['delivery', 'phone', 'Express shipping cost extra and still took four days.'],
  ['product', 'web', 'The blender is loud, but it crushes ice without trouble.'],
  ['product', 'email', 'After three weeks the handle of the pan came off.'],
  ['product', 'web', 'Great kettle, it boils a litre in two minutes.'],
  ['product', 'web', 'The colour of the cushion is much darker than in the picture.'],
  ['product', 'email', 'The lamp flickers and smells of burnt plastic.'],
  ['product', 'phone', 'The zip of the jacket broke on the first day.'],
  ['product', 'web', 'Solid table, easy to put together, no scratches so far.'],
  ['product', 'web', 'The shoes run small, order one size larger.'],
  ['product', 'email', 'The battery of the vacuum cleaner lasts only ten minutes.'],
  ['product', 'phone', 'The mattress is comfortable and my back no longer hurts.'],
  ['product', 'web', 'A screw was missing, so the shelf stands crooked.'],
  ['product', 'email', 'The coffee machine leaks water on the worktop.'],
  ['refund', 'email', 'I sent the jacket back a month ago and still wait for my money.'],
  ['refund', 'phone', 'The refund was on my account within two days, thank you.'],
  ['refund', 'email', 'You charged me twice and only gave one payment back.'],
  ['refund', 'web', 'Returning the shoes was simple, the label was in the box.'],
  ['refund', 'phone', 'I was told to pay for the return myself although the item was broken.'],
  ['refund', 'email', 'My voucher was refused after I returned part of the order.'],
  ['refund', 'web', 'The return form asks for a number that is nowhere on the invoice.'],
  ['refund', 'email', 'I want my money back for the lamp that never worked.'],
  ['refund', 'phone', 'The bank says that your refund never arrived.'],
  ['refund', 'web', 'I got a voucher instead of my money, which I did not ask for.'],
  ['website', 'web', 'The search on your site finds nothing when I misspell a word.'],
  ['website', 'web', 'I cannot log in since the update, the page stays white.'],
  ['website', 'email', 'The checkout forgets my address every time.'],
  ['website', 'web', 'On my phone the menu covers the button that I need.'],
  ['website', 'web', 'The new website looks clean and loads fast.'],
  ['website', 'email', 'The password reset mail never comes.'],
  ['website', 'web', 'Filters for size and colour would help a lot.'],
  ['website', 'phone', 'Your app crashes as soon as I open the basket.'],
  ['website', 'web', 'The page logs me out while I am still writing a review.'],
  ['website', 'email', 'Please let me pay without creating an account.'],
  ['staff', 'phone', 'The woman on the phone was patient and solved it in five minutes.'],
  ['staff', 'email', 'I wrote three mails and got the same automatic answer each time.'],
  ['staff', 'phone', 'I was on hold for forty minutes and then cut off.'],
  ['staff', 'web', 'The chat agent was friendly but could not help.'],
  ['staff', 'phone', 'Your colleague called me back as promised, very kind.'],
  ['staff', 'email', 'Nobody answers my questions about the warranty.'],
  ['staff', 'phone', 'The man at the counter was rude when I asked for a receipt.'],
  ['staff', 'web', 'Support replied on a Sunday evening, I was impressed.'],
  ['staff', 'email', 'Each person I speak to tells me something else.'],
  ['price', 'web', 'The same table costs less in the shop around the corner.'],
  ['price', 'email', 'The discount code from your letter does not work.'],
  ['price', 'web', 'Fair price for this quality.'],
  ['price', 'web', 'Prices went up by a third since last year.'],
  ['price', 'email', 'The invoice shows a higher amount than the order.'],
  ['price', 'web', 'A good offer, I bought two of them.'],
  ['price', 'phone', 'Why do I pay for gift wrapping that I did not choose?'],
  ['price', 'web', 'The sale price was gone when I came to the checkout.'],
  ['price', 'email', 'The discount code in your letter does not work.'],
];

/** Comments of customers of a made-up shop; the last one is nearly the same as another. */
export const EXAMPLE_COMMENTS: readonly ExampleComment[] = ROWS.map(([topic, channel, text]) => ({
  text,
  topic,
  channel,
}));

/** The comments as a table, as one would be opened from a file. */
export const EXAMPLE_TABLE: TextTable = {
  texts: EXAMPLE_COMMENTS.map(({ text }) => text),
  columns: {
    topic: EXAMPLE_COMMENTS.map(({ topic }) => topic),
    channel: EXAMPLE_COMMENTS.map(({ channel }) => channel),
  },
};
