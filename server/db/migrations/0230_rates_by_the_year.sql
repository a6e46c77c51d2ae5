-- Rates as saccos publish them (domain: loans; field case M7): four decimals a month, or a rate a year with four decimals. The unit stays
-- a hundredth of a percent a month; a step is a twelfth of what it would be by the year, so each rate is a whole number of
-- ten-thousandths of a percent a year.
alter table loan_product_terms
  drop constraint loan_product_terms_monthly_rate_check,
  alter column monthly_rate type double precision,
  add constraint loan_product_terms_monthly_rate_check
    check (monthly_rate between 0 and 500 and abs(monthly_rate * 1200 - round(monthly_rate * 1200)) < 1e-6);
alter table loans
  drop constraint loans_monthly_rate_check,
  alter column monthly_rate type double precision,
  add constraint loans_monthly_rate_check
    check (monthly_rate between 0 and 500 and abs(monthly_rate * 1200 - round(monthly_rate * 1200)) < 1e-6);
