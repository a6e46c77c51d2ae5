-- Instalments in whole shillings (domain: loans, docs/decisions/221): a product's option, kept with each loan that is applied for.
alter table loan_product_terms add column whole_shillings boolean not null default false;
alter table loans add column whole_shillings boolean not null default false;
