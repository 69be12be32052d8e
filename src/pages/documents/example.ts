const TEXT = `# Service agreement

This agreement is made between Harbour Lane Books Ltd (the "Customer") and Northgate Systems Ltd (the "Provider").
All names in it are invented.

## 1. Services

The Provider hosts the Customer's online shop and repairs faults in it. The Provider answers urgent reports within two hours and all other reports within one working day. Urgent reports are made by telephone, all others by e-mail.

## 2. Term

The agreement starts on 1 March 2026. It runs for twenty-four months and then continues from month to month. Either party may end it with three months' written notice.

## 3. Fees

The Customer pays a monthly fee of 1,850 euros. The Provider sends its invoice on the last working day of each month. Invoices are due within thirty days. If a payment is late, the Provider may charge interest of five percent a year.

## 4. Liability

The Provider is liable for damage that its staff cause on purpose or by gross negligence. The Customer is liable for the content of its shop. The liability of the Provider is limited to 50,000 euros for each year of the agreement. Neither party is liable for delays caused by fire, flood or strikes.

## 5. Data protection

The Provider processes personal data only on written instructions of the Customer. Backups are kept for ninety days in a data centre in Rotterdam. The Provider reports a breach of personal data to the Customer within twenty-four hours.

## 6. Confidentiality

Both parties keep the business secrets of the other party confidential. This duty lasts for five years after the agreement has ended.

## 7. Availability

| Service | Availability a month | Refund below it |
| --- | --- | --- |
| Online shop | 99.5 percent | 10 percent of the fee |
| E-mail | 99.0 percent | 5 percent of the fee |

## 8. Final clauses

1. Changes to this agreement must be made in writing.
2. The law of the Netherlands applies.
3. The courts of Amsterdam decide all disputes.
`;

const QUESTIONS = [
  'Who is liable for damage?',
  'When does the agreement end?',
  'Where are backups kept?',
  'Who owns the source code?', // not in the contract
] as const;

/** An English contract, because the built-in reader knows English, and questions about it. */
export function exampleContract() {
  const file = new File([TEXT], 'Service agreement (example).md', { type: 'text/markdown' });
  return { file, questions: QUESTIONS };
}
