import type { TextTable } from './texts.ts';

/** A short text, what it is about, and the way it came. */
export interface ExampleComment {
  readonly text: string;
  readonly topic: string;
  readonly channel: string;
}

const ROWS: readonly (readonly [topic: string, channel: string, text: string])[] = [
  ['delivery', 'email', 'The parcel came two days late and nobody told me why.'],
  ['delivery', 'phone', 'My parcel arrived a week after the promised day of delivery.'],
  ['delivery', 'web', 'Delivery was quick, the parcel stood at my door the next morning.'],
  ['delivery', 'web', 'The courier left the parcel in the rain in front of the garage.'],
  ['delivery', 'email', 'The courier says delivered, but no parcel was in my mailbox.'],
  ['delivery', 'phone', 'I waited at home all day and the courier never rang the bell.'],
  ['delivery', 'web', 'The delivery was free and faster than I expected.'],
  ['delivery', 'email', 'Half of my order came in a second parcel, days later.'],
  ['delivery', 'web', 'I had to pick the parcel up at a shop far away.'],
  ['delivery', 'phone', 'Express delivery cost extra and the parcel still took four days.'],
  ['kitchen', 'web', 'The blender is loud, but it crushes ice without trouble.'],
  ['kitchen', 'email', 'After three weeks the handle of the frying pan came off.'],
  ['kitchen', 'web', 'Great kettle, it boils a litre of water in two minutes.'],
  ['kitchen', 'email', 'The coffee machine leaks water on the kitchen table.'],
  ['kitchen', 'phone', 'The kettle smells of plastic when the water boils.'],
  ['kitchen', 'web', 'This pan is heavy, but nothing sticks to it.'],
  ['kitchen', 'web', 'The coffee is hot and strong, I love this machine.'],
  ['kitchen', 'email', 'The lid of the blender does not close.'],
  ['kitchen', 'phone', 'My coffee machine makes a loud noise and no coffee.'],
  ['kitchen', 'web', 'The toaster burns the bread on one side.'],
  ['kitchen', 'web', 'A good knife, it cuts bread and meat with ease.'],
  ['refund', 'email', 'I sent the jacket back a month ago and still wait for my money.'],
  ['refund', 'phone', 'The refund was on my account within two days, thank you.'],
  ['refund', 'email', 'You took the payment twice and gave only one refund.'],
  ['refund', 'web', 'Sending the shoes back was simple, and I got my money at once.'],
  ['refund', 'phone', 'I had to pay for the return myself although the lamp was broken.'],
  ['refund', 'email', 'I want my money back for the lamp that never worked.'],
  ['refund', 'phone', 'The bank says that your refund never arrived.'],
  ['refund', 'web', 'I got a voucher instead of my money back.'],
  ['refund', 'email', 'How long does a refund take after I return the dress?'],
  ['refund', 'web', 'You refused the refund because the box was open.'],
  ['website', 'web', 'The search on your website finds nothing when I misspell a word.'],
  ['website', 'web', 'I cannot log in to the website since the update, the page stays white.'],
  ['website', 'email', 'The website forgets my address every time I log in.'],
  ['website', 'web', 'On my phone the menu of the website covers the button.'],
  ['website', 'web', 'The new website looks clean and the pages load fast.'],
  ['website', 'email', 'I forgot my password and the page to reset it does not load.'],
  ['website', 'web', 'A filter for size and colour would help on the search page.'],
  ['website', 'phone', 'Your app crashes as soon as I log in.'],
  ['website', 'web', 'The website logs me out while I am still typing.'],
  ['website', 'email', 'The page shows an error when I click on the button to order.'],
  ['support', 'phone', 'The woman on the phone was patient and answered all my questions.'],
  ['support', 'email', 'I wrote three mails to your support and got no answer.'],
  ['support', 'phone', 'I called the hotline and waited on the phone for forty minutes.'],
  ['support', 'web', 'The man in the chat was friendly but could not answer my question.'],
  ['support', 'phone', 'Your support called me back as promised, very kind people.'],
  ['support', 'email', 'Nobody answers my question about the guarantee.'],
  ['support', 'phone', 'The woman who took my call was rude.'],
  ['support', 'web', 'The support answered my mail on a Sunday evening.'],
  ['support', 'email', 'Each person who answers my call tells me something else.'],
  ['price', 'web', 'The same table is cheaper in the shop around the corner.'],
  ['price', 'email', 'The discount code from your letter does not work.'],
  ['price', 'web', 'A fair price for this quality.'],
  ['price', 'web', 'Prices went up by a third since last year, too expensive.'],
  ['price', 'email', 'The price on the bill is higher than the price in the shop.'],
  ['price', 'web', 'A cheap offer, at that price I bought two.'],
  ['price', 'phone', 'Why was I charged five dollars for the gift wrap?'],
  ['price', 'web', 'The sale is over, now it costs twice as much.'],
  ['price', 'email', 'I found it cheaper elsewhere, will you match the price?'],
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
