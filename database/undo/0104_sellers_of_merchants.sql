alter table merchants drop column seller_type;
