import { testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testLateLoans } from './test-late-loans.ts';

/** A database of its own, whose tests begin at nine in the morning of 2 March 2026 in Nairobi. */
export async function testLending() {
  const database = await testDatabase();
  const people = testPeople(database);
  const late = testLateLoans(database);
  const founder = await people.person('Wanjiru', 'Kamau');
  const operator = await people.person('Operator');
  const goTo = (day: string) => database.world.setNow(new Date(`${day}T06:00:00Z`));
  return {
    database,
    people,
    late,
    /** Chair of each sacco. */
    founder,
    goTo,
    /** Goes back to the first day, and makes a sacco. */
    async sacco(): Promise<string> {
      goTo('2026-03-02');
      return late.saccos.sacco(founder, operator);
    },
    /** A member who has saved twice what is lent: Ksh. 100,000 over 12 months at 1 % a month has 8,884.88 due on 2 April. */
    async borrower(sacco: string): Promise<string> {
      const borrower = await people.person('Amina', 'Otieno');
      await late.saver(sacco, borrower, 200_000_00);
      return borrower;
    },
  };
}
