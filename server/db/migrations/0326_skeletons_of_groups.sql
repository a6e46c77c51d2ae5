-- The start writes the skeletons of names anew: with doubled letters once, and without legal words at the end (docs/decisions/162).
update saccos set name_skeleton = null where name_skeleton is not null;
update pools set name_skeleton = null where name_skeleton is not null;
