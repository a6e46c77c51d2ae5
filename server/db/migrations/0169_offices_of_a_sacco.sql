-- All offices of a sacco, those that have ended too: since when it has too few officials, and which accounts have been officials
-- (domain: saccos; docs/decisions/189). The other indexes have those alone that are held, or those of a person.
create index offices_of_sacco on offices (sacco_id);
