-- The cheapest commit there is: one small row.
insert into line(payload) values ('p');
