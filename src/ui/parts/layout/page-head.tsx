import styles from './page-head.module.css';

/** What a page is called, and what it is for. */
export function PageHead({ title, claim }: { readonly title: string; readonly claim: string }) {
  return (
    <div className={styles.intro}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.claim}>{claim}</p>
    </div>
  );
}
