drop table product_questions;
